/** Tracks which messages of one partition are done. Messages may end in any order. */
export interface Offsets {
  /** Call it in the order of the partition, and call the returned function when the message is done. */
  take(offset: string): () => void;
  /** The number of messages from the first that is not done to the last one taken: a crash repeats at most these. */
  ahead(): number;
  /** The next offset to commit, if it is new. All messages before it are done. */
  due(): string | undefined;
  /** Call it when that offset is committed. */
  note(next: string): void;
}

interface Taken {
  offset: string;
  done: boolean;
}

/** Offsets have gaps (compacted messages, control records), so the order of arrival counts. */
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
      const entry: Taken = { offset, done: false };
      taken.push(entry);
      return () => {
        entry.done = true;
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
