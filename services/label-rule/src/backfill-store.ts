import type { Collections } from '@postroom/mail-store/collections';
import { createOnce } from '@postroom/mail-store/create-once';
import type { BackfillJobDocument } from '@postroom/mail-store/documents/backfill';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type BackfillProgress = Pick<
  BackfillJobDocument,
  'state' | 'done' | 'total' | 'afterDate' | 'afterId' | 'cause' | 'updatedAt'
>;
export type BackfillStore = ReturnType<typeof createBackfillStore>;

export function createBackfillStore({ backfillJobs, mailboxes }: Pick<Collections, 'backfillJobs' | 'mailboxes'>) {
  return {
    /** The mailbox that is named, in whatever state it is; without a name every active one. */
    async mailboxIds(workspaceId: string, mailboxId: string | undefined, budget: TimeBudget): Promise<string[]> {
      const which = mailboxId === undefined ? { status: 'active' as const } : { _id: mailboxId };
      const found = await mailboxes
        .find({ workspaceId, ...which }, { _id: 1 }, timeLimit(budget))
        .sort({ _id: 1 })
        .lean<{ _id: string }[]>();
      return found.map(({ _id }) => _id);
    },

    insert(workspaceId: string, job: Omit<BackfillJobDocument, 'workspaceId'>, budget: TimeBudget) {
      return createOnce(backfillJobs, { ...job, workspaceId }, budget);
    },

    /** Whether the newest of a mailbox has not begun, and looks at as many: it will find the rules of now as well. */
    async isWaiting(workspaceId: string, mailboxId: string, limit: number, budget: TimeBudget): Promise<boolean> {
      const newest = await backfillJobs
        .findOne({ workspaceId, mailboxId }, { state: 1, limit: 1 }, timeLimit(budget))
        .sort({ createdAt: -1, _id: -1 })
        .lean<Pick<BackfillJobDocument, 'state' | 'limit'> | null>();
      return newest?.state === 'queued' && newest.limit >= limit;
    },

    list(workspaceId: string, limit: number, budget: TimeBudget): Promise<BackfillJobDocument[]> {
      return backfillJobs
        .find({ workspaceId }, null, timeLimit(budget))
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<BackfillJobDocument[]>();
    },

    /** What comes late, or after the end, changes nothing. */
    async record(workspaceId: string, jobId: string, progress: BackfillProgress, budget: TimeBudget): Promise<void> {
      await backfillJobs.updateOne(
        { _id: jobId, workspaceId, state: { $in: ['queued', 'running'] }, done: { $lte: progress.done } },
        { $set: progress },
        timeLimit(budget),
      );
    },
  };
}
