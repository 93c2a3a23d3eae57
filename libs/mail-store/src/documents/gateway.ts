export interface IdempotencyDocument {
  /** Hash of workspace, method, path and key. */
  _id: string;
  workspaceId: string;
  /** Hash of the request's canonical JSON: another body under the same key is a conflict. */
  fingerprint: string;
  /** The attempt that holds the key; a crashed attempt loses it when its lease ends. */
  attemptId: string;
  leaseUntil: Date;
  /** Null while the call is in progress. */
  answer: StoredAnswer | null;
  expiresAt: Date;
}

export interface StoredAnswer {
  status: number;
  body: string;
  cost: number;
}

export interface SchemaVersionDocument {
  _id: string;
  version: number;
  migratedAt: Date;
}
