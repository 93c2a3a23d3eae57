import type { Reads } from '@postroom/mail-store/access';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type KnownMailboxStore = ReturnType<typeof createKnownMailboxStore>;

/** Mailboxes belong to workspace. This service only checks that they exist. */
export function createKnownMailboxStore({ mailboxes }: Reads<'mailboxes'>) {
  return {
    async known(workspaceId: string, ids: readonly string[], budget: TimeBudget): Promise<string[]> {
      const found = await mailboxes
        .find({ workspaceId, _id: { $in: [...ids] } }, { _id: 1 }, timeLimit(budget))
        .lean<{ _id: string }[]>();
      return found.map(({ _id }) => _id);
    },
  };
}
