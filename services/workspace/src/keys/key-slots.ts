/**
 * The cap on active keys, held by a unique index instead of a count: every active key owns a numbered slot, and two
 * creations at once cannot own the same one. A count read before the insert would let both pass.
 */
export function freeSlots(takenSlots: readonly string[], cap: number): string[] {
  const taken = new Set(takenSlots);
  const usable = range(usableSlots(taken, cap));
  return usable.filter((slot) => !taken.has(slot));
}

/**
 * After a change to a smaller plan some keys sit in high slots. The widest range is offered that, when filled up,
 * still keeps the cap together with what lies beyond it.
 */
function usableSlots(taken: ReadonlySet<string>, cap: number): number {
  for (let width = cap; width > 0; width -= 1) {
    const inside = new Set(range(width));
    const beyond = [...taken].filter((slot) => !inside.has(slot)).length;
    if (width + beyond <= cap) return width;
  }
  return 0;
}

function range(width: number): string[] {
  return Array.from({ length: width }, (_, slot) => String(slot));
}
