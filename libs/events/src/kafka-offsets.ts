/** How far the messages of one partition are done, in whatever order they end. */
export interface Offsets {
  /** Called in the order of the partition; what it returns is called when that message is done. */
  take(offset: string): () => void;
  /** Messages from the first that is not done to the last that was taken: what a crash would repeat at most. */
  ahead(): number;
  /** Where whoever is next has to begin, if that is further than was noted before: nothing before it is owed. */
  due(): string | undefined;
  /** That place is committed. */
  note(next: string): void;
}

interface Taken {
  offset: string;
  done: boolean;
}

/** Offsets have gaps (what a broker compacts, what is not a message), so places are counted as they came. */
export function createOffsets(): Offsets {
  const taken: Taken[] = [];
  let first = 0;
  let finished: string | undefined;
  let noted: string | undefined;

  const advance = (): void => {
    for (let at = taken[first]; at?.done; at = taken[(first += 1)]) finished = at.offset;
    // Half of the list at a time, so that a message costs the same however many are ahead.
    if (first > 64 && first * 2 > taken.length) {
      taken.splice(0, first);
      first = 0;
    }
  };
  return {
    take: (offset) => {
      const place: Taken = { offset, done: false };
      taken.push(place);
      return () => {
        place.done = true;
        advance();
      };
    },
    ahead: () => taken.length - first,
    due: () => {
      if (finished === undefined) return undefined;
      const next = String(BigInt(finished) + 1n);
      return next === noted ? undefined : next;
    },
    note: (committed) => void (noted = committed),
  };
}
