import type { Writes } from '@postroom/mail-store/access';
import type { InvitationDocument, SignInLinkDocument } from '@postroom/mail-store/documents/identity';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type LinkStore = ReturnType<typeof createLinkStore>;

/** Finds what the secret of a link stands for, before any workspace is known. */
export function createLinkStore({ invitations, signInLinks }: Writes<'invitations' | 'signInLinks'>) {
  return {
    findInvitation: (secretHash: string, budget: TimeBudget): Promise<InvitationDocument | null> =>
      invitations.findOne({ secretHash }, null, timeLimit(budget)).lean(),

    /** The oldest one that is open. */
    findInvitationOf: (emailKey: string, now: Date, budget: TimeBudget): Promise<InvitationDocument | null> =>
      invitations
        .findOne({ emailKey, expiresAt: { $gt: now } }, null, timeLimit(budget))
        .sort({ createdAt: 1 })
        .lean(),

    findSignInLink: (secretHash: string, budget: TimeBudget): Promise<SignInLinkDocument | null> =>
      signInLinks.findOne({ _id: secretHash }, null, timeLimit(budget)).lean(),

    insertSignInLink: async (link: SignInLinkDocument): Promise<void> => {
      await signInLinks.create(link);
    },

    /** True for the one call that removes it. */
    removeSignInLink: async (secretHash: string, budget: TimeBudget): Promise<boolean> => {
      const { deletedCount } = await signInLinks.deleteOne({ _id: secretHash }, timeLimit(budget));
      return deletedCount === 1;
    },
  };
}
