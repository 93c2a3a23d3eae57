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
  /** The attempt ended and said nothing final: the next one may take the key, even for another request. */
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

/** What a month had come to at least, kept every few seconds: Redis may lose what it counts. */
export interface MonthFloorDocument {
  /** Workspace, month and key. */
  _id: string;
  workspaceId: string;
  monthEnds: Date;
  /** When the key in Redis was made, by its clock. */
  born: number;
  used: number;
  expiresAt: Date;
}

export interface SchemaVersionDocument {
  _id: string;
  version: number;
  migratedAt: Date | null;
  /** The migration under way, and how long it keeps others out unless it says so again. */
  holder: string | null;
  leaseUntil: Date | null;
}

/** How far a migration's step has rewritten a collection; the id is step and part. */
export interface MigrationPartDocument {
  _id: string;
  /** 2 when it goes over what was written behind the back of the first. */
  pass: 1 | 2;
  /** The last id that was looked at. */
  after: string | null;
  seen: number;
  changed: number;
  finishedAt: Date | null;
  settledAt: Date | null;
}
