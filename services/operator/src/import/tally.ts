/** Counts the results of the messages so far. */
export interface Tally {
  read: number;
  bytes: number;
  new: number;
  known: number;
  quarantined: number;
  causes: Map<string, number>;
  /** Messages that were not handed over. They are unchanged at their source. */
  skipped: number;
  skippedIn: Map<string, number>;
  /** Messages over which the service failed while it took others. */
  failed: number;
  failedIn: Map<string, number>;
}

export function newTally(): Tally {
  return {
    read: 0,
    bytes: 0,
    new: 0,
    known: 0,
    quarantined: 0,
    causes: new Map(),
    skipped: 0,
    skippedIn: new Map(),
    failed: 0,
    failedIn: new Map(),
  };
}

export function countUp(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The most frequent first. */
export function ranked(counts: ReadonlyMap<string, number>): [key: string, count: number][] {
  return [...counts].sort(([, a], [, b]) => b - a);
}
