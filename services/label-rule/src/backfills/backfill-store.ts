import type { Reads, Writes } from '@postroom/mail-store/access';
import { createOnce } from '@postroom/mail-store/create-once';
import type { BackfillJobDocument } from '@postroom/mail-store/documents/backfill';
import { notExpired } from '@postroom/mail-store/kept-for';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

type BackfillProgress = Pick<
  BackfillJobDocument,
  | 'state'
  | 'done'
  | 'total'
  | 'afterDate'
  | 'afterId'
  | 'cause'
  | 'notBefore'
  | 'attempts'
  | 'skipped'
  | 'updatedAt'
  | 'expiresAt'
>;
interface Recording {
  jobId: string;
  /** The `notBefore` that the caller has read. */
  seen: Date | undefined;
  progress: BackfillProgress;
}
interface Joining {
  mailboxId: string;
  limit: number;
}

export type BackfillStore = ReturnType<typeof createBackfillStore>;

export function createBackfillStore({ backfillJobs, mailboxes }: Writes<'backfillJobs'> & Reads<'mailboxes'>) {
  return {
    /** The named mailbox in any state; all active ones without a name. */
    async mailboxIds(workspaceId: string, mailboxId: string | undefined, budget: TimeBudget): Promise<string[]> {
      const which = mailboxId === undefined ? { status: 'active' as const } : { _id: mailboxId };
      const found = await mailboxes
        .find({ workspaceId, ...which }, { _id: 1 }, timeLimit(budget))
        .sort({ _id: 1 })
        .lean<{ _id: string }[]>();
      return found.map(({ _id }) => _id);
    },

    /** The last one of a mailbox. */
    newest(workspaceId: string, mailboxId: string, budget: TimeBudget): Promise<BackfillJobDocument | null> {
      return backfillJobs
        .findOne({ workspaceId, mailboxId }, null, timeLimit(budget))
        .sort({ createdAt: -1, _id: -1 })
        .lean<BackfillJobDocument | null>();
    },

    insert(workspaceId: string, job: Omit<BackfillJobDocument, 'workspaceId'>, budget: TimeBudget) {
      return createOnce(backfillJobs, { ...job, workspaceId }, budget);
    },

    /** Whether a job of a mailbox has not begun yet. It will cover as many emails, with the present rules. */
    async joinQueued(workspaceId: string, { mailboxId, limit }: Joining, budget: TimeBudget): Promise<boolean> {
      const queued = { workspaceId, mailboxId, state: 'queued' as const };
      const { matchedCount } = await backfillJobs.updateOne(queued, { $max: { limit } }, timeLimit(budget));
      return matchedCount > 0;
    },

    list(workspaceId: string, now: Date, limit: number, budget: TimeBudget): Promise<BackfillJobDocument[]> {
      return backfillJobs
        .find({ workspaceId, ...notExpired(now) }, null, timeLimit(budget))
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<BackfillJobDocument[]>();
    },

    /** Whether the job changed. A late call, and a call while another process holds the lease, changes nothing. */
    async record(workspaceId: string, { jobId, seen, progress }: Recording, budget: TimeBudget): Promise<boolean> {
      const notBefore = seen ?? { $exists: false };
      const { matchedCount } = await backfillJobs.updateOne(
        { _id: jobId, workspaceId, state: { $in: ['queued', 'running'] }, done: { $lte: progress.done }, notBefore },
        { $set: progress },
        timeLimit(budget),
      );
      return matchedCount > 0;
    },
  };
}
