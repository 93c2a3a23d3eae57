const AT_ONCE = 500;

interface Latest<T> {
  note(id: string, value: T): void;
  /** Stores what was noted since the last flush. Where the store fails, the next flush stores it. */
  flush(): Promise<void>;
}

/** The last value of each id, until it is stored. */
export function createLatest<T>(keepAll: (values: readonly T[]) => Promise<void>): Latest<T> {
  const unsaved = new Map<string, T>();
  return {
    note: (id, value) => void unsaved.set(id, value),
    flush: async () => {
      const all = [...unsaved];
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const batch = all.slice(from, from + AT_ONCE);
        await keepAll(batch.map(([, value]) => value));
        // A value that was noted meanwhile waits for the next flush.
        for (const [id, value] of batch) if (unsaved.get(id) === value) unsaved.delete(id);
      }
    },
  };
}
