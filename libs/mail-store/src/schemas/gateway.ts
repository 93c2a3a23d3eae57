import type {
  IdempotencyDocument,
  MigrationPartDocument,
  MonthFloorDocument,
  SchemaVersionDocument,
  StoredAnswer,
} from '../documents/gateway.ts';
import { nullable, part, required, schema, presentText } from './schema.ts';

export const idempotencySchema = schema<IdempotencyDocument>({
  workspaceId: required(String),
  fingerprint: required(String),
  attemptId: required(String),
  operationId: required(String),
  isFree: required(Boolean),
  leaseUntil: required(Date),
  answer: nullable(part<StoredAnswer>({ status: Number, body: presentText, units: Number })),
  expiresAt: required(Date),
});

export const monthFloorSchema = schema<MonthFloorDocument>({
  workspaceId: required(String),
  monthEnds: required(Date),
  born: required(Number),
  used: required(Number),
  expiresAt: required(Date),
});

export const schemaVersionSchema = schema<SchemaVersionDocument>({
  version: required(Number),
  migratedAt: nullable(Date),
  holder: nullable(String),
  leaseUntil: nullable(Date),
});

export const migrationPartSchema = schema<MigrationPartDocument>({
  pass: required(Number),
  after: nullable(String),
  seen: Number,
  changed: Number,
  finishedAt: nullable(Date),
  settledAt: nullable(Date),
});
