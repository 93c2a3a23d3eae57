import type { IdempotencyDocument, SchemaVersionDocument, StoredAnswer } from '../documents/gateway.ts';
import { nullable, part, required, schema, text } from './schema.ts';

export const idempotency = schema<IdempotencyDocument>({
  workspaceId: required(String),
  fingerprint: required(String),
  attemptId: required(String),
  leaseUntil: required(Date),
  answer: nullable(part<StoredAnswer>({ status: Number, body: text, cost: Number })),
  expiresAt: required(Date),
});

export const schemaVersion = schema<SchemaVersionDocument>({ version: required(Number), migratedAt: required(Date) });
