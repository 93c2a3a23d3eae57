import type { Reads } from '@postroom/mail-store/access';
import type { BackfillJobDocument } from '@postroom/mail-store/documents/backfill';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type BackfillStore = ReturnType<typeof createBackfillStore>;

/** Written by label-rule: here they are only read, to go on where the last worker stopped. */
export function createBackfillStore({ backfillJobs }: Reads<'backfillJobs'>) {
  return {
    find(workspaceId: string, jobId: string): Promise<BackfillJobDocument | null> {
      return backfillJobs.findOne({ _id: jobId, workspaceId }, null, QUERY_LIMIT).lean<BackfillJobDocument | null>();
    },
  };
}
