/** Adds up numbers by a key of several parts, and lists them in the order of the keys. */
export function createSums<K extends readonly string[]>() {
  const sums = new Map<string, { key: K; sum: number }>();
  return {
    add(key: K, amount: number): void {
      const id = JSON.stringify(key);
      const known = sums.get(id);
      if (known) known.sum += amount;
      else sums.set(id, { key, sum: amount });
    },

    list(): { key: K; sum: number }[] {
      return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
    },
  };
}
