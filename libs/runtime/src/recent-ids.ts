import { createRecentMap, type RecentMap } from './recent-map.ts';

export interface RecentIds extends Pick<RecentMap<true>, 'has' | 'delete'> {
  add(id: string): void;
}

/** The last ids that were added, up to a number. */
export function createRecentIds(most: number): RecentIds {
  const ids = createRecentMap<true>(most);
  return { ...ids, add: (id) => ids.set(id, true) };
}
