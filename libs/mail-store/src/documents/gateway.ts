/** One operation under an Idempotency-Key, with its answer once there is one. */
export interface IdempotencyDocument {
  /** Hash of workspace, route, its parameters and key. */
  _id: string;
  workspaceId: string;
  /** Hash of the request's canonical JSON: another body under the same key is a conflict. */
  fingerprint: string;
  /** The attempt that holds the key; a crashed attempt loses it when its lease ends. */
  attemptId: string;
  /** Travels with the call, so that the next attempt finds what this one made. */
  operationId: string;
  /** The attempt ended without a final answer. The next one may take the key, even for another request. */
  isFree: boolean;
  leaseUntil: Date;
  /** Null while the call is in progress. */
  answer: StoredAnswer | null;
  expiresAt: Date;
}

export interface StoredAnswer {
  status: number;
  body: string;
  units: number;
}

/** A lower bound of a month's usage, stored every few seconds, because Redis may lose its counters. */
export interface MonthFloorDocument {
  /** Workspace, month and key. */
  _id: string;
  workspaceId: string;
  monthEnds: Date;
  /** The creation time of the key in Redis, by the clock of Redis. */
  born: number;
  used: number;
  expiresAt: Date;
}

/** The version of the stored data, which a service waits for. */
export interface SchemaVersionDocument {
  _id: string;
  version: number;
  migratedAt: Date | null;
  /** The running migration, and the end of its lease unless it renews it. */
  holder: string | null;
  leaseUntil: Date | null;
}

/** The position of a migration step in the collection that it rewrites. The id is step and part. */
export interface MigrationPartDocument {
  _id: string;
  /** 2 in the second pass, over documents that services of the former version wrote meanwhile. */
  pass: 1 | 2;
  /** The last id that was read. */
  after: string | null;
  seen: number;
  changed: number;
  finishedAt: Date | null;
  settledAt: Date | null;
}
