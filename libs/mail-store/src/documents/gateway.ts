import { type TypeOf, nullable, part, presentText, required, schema, typed } from '../schemas/schema.ts';

export interface StoredAnswer extends TypeOf<typeof storedAnswerPart> {}
const storedAnswerPart = part({ status: Number, body: presentText, units: Number });

/** One operation under an Idempotency-Key, with its answer once there is one. */
export interface IdempotencyDocument extends TypeOf<typeof idempotencySchema> {}
export const idempotencySchema = schema({
  /** Hash of workspace, route, its parameters and key. */
  _id: String,
  workspaceId: required(String),
  /** Hash of the request's canonical JSON: another body under the same key is a conflict. */
  fingerprint: required(String),
  /** The attempt that holds the key; a crashed attempt loses it when its lease ends. */
  attemptId: required(String),
  /** Travels with the call, so that the next attempt finds what this one made. */
  operationId: required(String),
  /** The attempt ended without a final answer. The next one may take the key, even for another request. */
  isFree: required(Boolean),
  leaseUntil: required(Date),
  /** Null while the call is in progress. */
  answer: nullable(storedAnswerPart),
  expiresAt: required(Date),
});

/** A lower bound of a month's usage, stored every few seconds, because Redis may lose its counters. */
export interface MonthFloorDocument extends TypeOf<typeof monthFloorSchema> {}
export const monthFloorSchema = schema({
  /** Workspace, month and key. */
  _id: String,
  workspaceId: required(String),
  monthEnds: required(Date),
  /** The creation time of the key in Redis, by the clock of Redis. */
  born: required(Number),
  used: required(Number),
  expiresAt: required(Date),
});

/** The version of the stored data, which a service waits for. */
export interface SchemaVersionDocument extends TypeOf<typeof schemaVersionSchema> {}
export const schemaVersionSchema = schema({
  version: required(Number),
  migratedAt: nullable(Date),
  /** The running migration, and the end of its lease unless it renews it. */
  holder: nullable(String),
  leaseUntil: nullable(Date),
});

/** The position of a migration step in the collection that it rewrites. The id is step and part. */
export interface MigrationPartDocument extends TypeOf<typeof migrationPartSchema> {}
export const migrationPartSchema = schema({
  /** 2 in the second pass, over documents that services of the former version wrote meanwhile. */
  pass: required(typed<1 | 2>(Number)),
  /** The last id that was read. */
  after: nullable(String),
  seen: Number,
  changed: Number,
  finishedAt: nullable(Date),
  settledAt: nullable(Date),
});
