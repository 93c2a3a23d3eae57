import type { Writes } from '@postroom/mail-store/access';
import type { InvitationDocument } from '@postroom/mail-store/documents/identity';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type InvitationStore = ReturnType<typeof createInvitationStore>;

export function createInvitationStore({ invitations }: Writes<'invitations'>) {
  return {
    insert: async (
      workspaceId: string,
      fields: Omit<InvitationDocument, 'workspaceId'>,
    ): Promise<InvitationDocument> => {
      const invitation = { workspaceId, ...fields };
      await invitations.create(invitation);
      return invitation;
    },

    list: (workspaceId: string, now: Date, budget: TimeBudget): Promise<InvitationDocument[]> =>
      invitations
        .find({ workspaceId, expiresAt: { $gt: now } }, null, timeLimit(budget))
        .sort({ createdAt: 1, _id: 1 })
        .lean(),

    find: (workspaceId: string, invitationId: string, budget: TimeBudget): Promise<InvitationDocument | null> =>
      invitations.findOne({ _id: invitationId, workspaceId }, null, timeLimit(budget)).lean(),

    /** True for the one call that removes it. */
    remove: async (workspaceId: string, invitationId: string, budget: TimeBudget): Promise<boolean> => {
      const { deletedCount } = await invitations.deleteOne({ _id: invitationId, workspaceId }, timeLimit(budget));
      return deletedCount === 1;
    },
  };
}
