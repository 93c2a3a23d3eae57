/** Shorter work is noise. */
const LEAST_MS = 4;
const TIMES = 3;
const SHORTEST = 250;
/** Between the 4 of linear work and the 16 of work that takes the square. */
export const LINEAR = 10;

/**
 * How many times as long some work takes on four times the text, on texts of up to so many characters: about 4 where
 * its cost is linear, 16 where it is the square. The first growth over the bound ends it, so that a bad case is not
 * waited for; the least of a few runs counts, so that a busy machine does not look like one.
 */
export function growthOf(work: (size: number) => void, longest: number): number {
  for (let size = SHORTEST; size < longest; size *= 4) {
    if (timeOf(work, size * 4) < LEAST_MS * 4) continue;
    const growth = least(work, size * 4) / Math.max(LEAST_MS, least(work, size));
    if (growth > LINEAR) return growth;
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
