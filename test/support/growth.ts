/** Shorter work is noise. */
const LEAST_MS = 4;
const TIMES = 3;
const SHORTEST = 250;
/** Between the 4 of linear work and the 16 of work that takes the square. */
export const LINEAR = 10;

/** Work that takes this long has grown for certain, and is not tried on longer text. */
const CERTAIN_MS = 500;

/**
 * How many times as long some work takes on four times the text, on texts of up to so many characters: about 4 where
 * its cost is linear, 16 where it is the square. A growth over the bound has to be seen twice in a row, because memory
 * that is taken and given back makes single steps uneven; the least of a few runs counts, because a machine may be busy.
 */
export function growthOf(work: (size: number) => void, longest: number): number {
  for (let size = SHORTEST; size < longest; size *= 4) {
    if (timeOf(work, size * 4) < LEAST_MS * 4) continue;
    const [short, long] = [least(work, size), least(work, size * 4)];
    const growth = long / Math.max(LEAST_MS, short);
    if (growth <= LINEAR) continue;
    const next = long > CERTAIN_MS ? growth : least(work, size * 16) / long;
    if (next > LINEAR) return next;
  }
  return 1;
}

const least = (work: (size: number) => void, size: number) =>
  Math.min(...Array.from({ length: TIMES }, () => timeOf(work, size)));

function timeOf(work: (size: number) => void, size: number): number {
  const before = process.cpuUsage();
  work(size);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
