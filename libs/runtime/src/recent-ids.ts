export interface RecentIds {
  add(id: string): void;
  has(id: string): boolean;
  delete(id: string): void;
}

/** The last ids that were added, up to a number. */
export function createRecentIds(most: number): RecentIds {
  const ids = new Set<string>();
  return {
    add: (id) => {
      ids.delete(id);
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > most && oldest !== undefined) ids.delete(oldest);
    },
    has: (id) => ids.has(id),
    delete: (id) => void ids.delete(id),
  };
}
