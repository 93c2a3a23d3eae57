/** Shorter work is noise. */
const LEAST_MS = 4;
const TIMES = 3;
const MEASUREMENTS = 3;
const SHORTEST = 250;
/** Between the 4 of linear work and the 16 of quadratic work. */
export const LINEAR = 10;

/** Work that is expected to take longer does not run on longer text, so that cubic work ends, too. It is certainly slow. */
const LONGEST_MS = 5_000;
/** A run that takes this long is no noise, so it is not repeated. */
const CERTAIN_MS = 500;

/**
 * Measures how much longer the work takes on four times the text, up to `longest` characters: about 4 times when its
 * cost is linear, 16 times when it is quadratic. Growth over the bound counts when two steps in a row show it, because
 * memory allocation makes single steps uneven. The fastest of a few runs counts, because the machine may be busy, and
 * growth over the bound has to show in each of three measurements.
 */
export function growthOf(work: (size: number) => void, longest: number): number {
  for (let again = 1; again < MEASUREMENTS; again += 1) {
    const growth = measuredGrowth(work, longest);
    if (growth <= LINEAR) return growth;
  }
  return measuredGrowth(work, longest);
}

function measuredGrowth(work: (size: number) => void, longest: number): number {
  for (let size = SHORTEST; size * 4 <= longest; size *= 4) {
    const first = timeOf(work, size * 4);
    if (first < LEAST_MS * 4) continue;
    const short = Math.max(LEAST_MS, least(work, size));
    // The fastest run on the longer text is not slower than the first one, so its growth needs no more of them.
    if (first / short <= LINEAR) continue;
    const long = least(work, size * 4);
    const growth = long / short;
    if (growth <= LINEAR) continue;
    const next = long * growth > LONGEST_MS ? growth : least(work, size * 16) / long;
    if (next > LINEAR) return next;
  }
  return 1;
}

function least(work: (size: number) => void, size: number): number {
  let fastest = Infinity;
  for (let times = 0; times < TIMES; times += 1) {
    fastest = Math.min(fastest, timeOf(work, size));
    if (fastest > CERTAIN_MS) break;
  }
  return fastest;
}

function timeOf(work: (size: number) => void, size: number): number {
  const before = process.cpuUsage();
  work(size);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
