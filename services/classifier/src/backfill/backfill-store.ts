import type { Reads } from '@postroom/mail-store/access';
import type { BackfillJobDocument } from '@postroom/mail-store/documents/backfill';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type RunnableBackfill = Omit<
  BackfillJobDocument,
  'operationId' | 'outbox' | 'owedSince' | 'owedOrder' | 'outboxClaim'
>;
export type RunnableBackfillStore = ReturnType<typeof createRunnableBackfillStore>;

/** Backfills are written by label-rule. Here they are only read. */
export function createRunnableBackfillStore({ backfillJobs }: Reads<'backfillJobs'>) {
  return {
    find(workspaceId: string, jobId: string): Promise<RunnableBackfill | null> {
      return backfillJobs.findOne({ _id: jobId, workspaceId }, null, QUERY_LIMIT).lean<RunnableBackfill | null>();
    },

    /** The oldest job of a workspace without a holder. */
    due(workspaceId: string, now: Date): Promise<RunnableBackfill | null> {
      return backfillJobs
        .findOne({ workspaceId, ...dueBy(now) }, null, QUERY_LIMIT)
        .sort({ createdAt: 1 })
        .lean<RunnableBackfill | null>();
    },

    /** The first workspace behind another that has one. */
    async everyWorkspacesNext(behind: string, now: Date): Promise<string | undefined> {
      const found = await backfillJobs
        .findOne({ workspaceId: { $gt: behind }, ...dueBy(now) }, { workspaceId: 1 }, QUERY_LIMIT)
        .sort({ workspaceId: 1, createdAt: 1 })
        .lean<Pick<RunnableBackfill, 'workspaceId'> | null>();
      return found?.workspaceId;
    },
  };
}

/** A job without the time is of an earlier version, or has never begun. */
const dueBy = (now: Date) => ({
  state: { $in: ['queued' as const, 'running' as const] },
  notBefore: { $not: { $gt: now } },
});
