import { outboxFields } from './outbox.ts';
import { type TypeOf, nullable, absentOr, required, schema, typed } from '../schemas/schema.ts';

export type BackfillState = 'queued' | 'running' | 'completed' | 'failed';

/** The rules of a workspace asked about the newest emails of one inbox, which were there before them. */
export interface BackfillJobDocument extends TypeOf<typeof backfillJobSchema> {}
export const backfillJobSchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  /** Of the call that asked for it, which may come again. Absent from what an earlier version made. */
  operationId: absentOr(String),
  limit: required(Number),
  state: required(typed<BackfillState>(String)),
  done: Number,
  total: Number,
  /** The last email done, from which whoever takes over goes on. */
  afterDate: nullable(Date),
  afterId: nullable(String),
  cause: nullable(String),
  /** Before then nobody else works on it: the lease of a classifier, or a pause. Changed by compare and set alone. */
  notBefore: absentOr(Date),
  /** Since the last progress. */
  attempts: absentOr(Number),
  /** Of those done, the emails that were passed over. */
  skipped: absentOr(Number),
  ...outboxFields,
  createdAt: required(Date),
  updatedAt: required(Date),
  /** Some time after it was last heard of. Absent from what an earlier version wrote last. */
  expiresAt: absentOr(Date),
});
