import type { Writes } from '@postroom/mail-store/access';
import type { OidcAccountDocument, OidcSignInDocument } from '@postroom/mail-store/documents/identity';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type OidcStore = ReturnType<typeof createOidcStore>;

/** Sign-ins at the provider that are under way, and the accounts there that people have. */
export function createOidcStore({ oidcSignIns, oidcAccounts }: Writes<'oidcSignIns' | 'oidcAccounts'>) {
  return {
    insertSignIn: async (signIn: OidcSignInDocument): Promise<void> => {
      await oidcSignIns.create(signIn);
    },

    /** Not null for the one call that takes it, in time. */
    takeSignIn: (tokenHash: string, now: Date, budget: TimeBudget): Promise<OidcSignInDocument | null> =>
      oidcSignIns.findOneAndDelete({ _id: tokenHash, expiresAt: { $gt: now } }, timeLimit(budget)).lean(),

    findAccount: (accountId: string, budget: TimeBudget): Promise<OidcAccountDocument | null> =>
      oidcAccounts.findOne({ _id: accountId }, null, timeLimit(budget)).lean(),

    noteOthersEnded: async (accountId: string, budget: TimeBudget): Promise<void> => {
      await oidcAccounts.updateOne({ _id: accountId }, { $set: { othersEnded: true } }, timeLimit(budget));
    },

    /** False when the account is known already, or its person has another one at this provider. */
    insertAccount: async (account: OidcAccountDocument): Promise<boolean> => {
      try {
        await oidcAccounts.create(account);
        return true;
      } catch (error) {
        if (isAnyDuplicate(error)) return false;
        throw error;
      }
    },
  };
}
