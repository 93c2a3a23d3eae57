import type { HasOutbox } from './outbox.ts';

export type BackfillState = 'queued' | 'running' | 'completed' | 'failed';

/** The rules of a workspace asked about the newest emails of one inbox, which were there before them. */
export interface BackfillJobDocument extends HasOutbox {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  /** Of the call that asked for it, which may come again. Absent from what an earlier version made. */
  operationId?: string;
  limit: number;
  state: BackfillState;
  done: number;
  total: number;
  /** The last email done, from which whoever takes over goes on. */
  afterDate: Date | null;
  afterId: string | null;
  cause: string | null;
  /** Before then nobody else works on it: the lease of a classifier, or a pause. Changed by compare and set alone. */
  notBefore?: Date;
  /** Since the last progress. */
  attempts?: number;
  /** Of those done, the emails that were passed over. */
  skipped?: number;
  createdAt: Date;
  updatedAt: Date;
  /** Some time after it was last heard of. Absent from what an earlier version wrote last. */
  expiresAt?: Date;
}
