import type { BackfillJobDocument } from '../documents/backfill.ts';
import { outboxFields } from './outbox.ts';
import { nullable, required, schema } from './schema.ts';

export const backfillJobSchema = schema<BackfillJobDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  operationId: String,
  limit: required(Number),
  state: required(String),
  done: Number,
  total: Number,
  afterDate: nullable(Date),
  afterId: nullable(String),
  cause: nullable(String),
  notBefore: Date,
  attempts: Number,
  skipped: Number,
  ...outboxFields,
  createdAt: required(Date),
  updatedAt: required(Date),
  expiresAt: Date,
});
