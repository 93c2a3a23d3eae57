import type { Writes } from '@postroom/mail-store/access';
import type { GrantDocument } from '@postroom/mail-store/documents/identity';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type GrantStore = ReturnType<typeof createGrantStore>;

export function createGrantStore({ grants }: Writes<'grants'>) {
  return {
    /** Keeps the grant that is there. */
    insertOnce: async (workspaceId: string, grant: Omit<GrantDocument, 'workspaceId'>): Promise<void> => {
      await grants.create([{ ...grant, workspaceId }]).catch((error: unknown) => {
        if (!isAnyDuplicate(error)) throw error;
      });
    },

    list: (workspaceId: string, now: Date, budget: TimeBudget): Promise<GrantDocument[]> =>
      grants
        .find({ workspaceId, expiresAt: { $gt: now } }, null, timeLimit(budget))
        .sort({ createdAt: 1, _id: 1 })
        .lean(),

    find: (workspaceId: string, grantId: string, budget: TimeBudget): Promise<GrantDocument | null> =>
      grants.findOne({ _id: grantId, workspaceId }, null, timeLimit(budget)).lean(),

    end: async (workspaceId: string, grantId: string, budget: TimeBudget): Promise<void> => {
      await grants.deleteOne({ _id: grantId, workspaceId }, timeLimit(budget));
    },
  };
}
