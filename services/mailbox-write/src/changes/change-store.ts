import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { SHOWN_OF_EMAIL, type ShownEmail } from '@postroom/mail-store/email-message';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import { updateOf } from './change-update.ts';
import type { EmailChange } from './email-change.ts';

const SHOWN = {
  ...SHOWN_OF_EMAIL,
  labelIds: 1,
  'labelEffects.id': 1,
  classifiedAt: 1,
  senderAddress: 1,
  isAutomatic: 1,
} as const;
export type ChangedEmail = ShownEmail &
  Pick<EmailDocument, 'labelIds' | 'classifiedAt' | 'senderAddress' | 'isAutomatic'> & {
    labelEffects?: { id: string }[];
  };

export type ChangeStore = ReturnType<typeof createChangeStore>;

/** Emails one at a time: a change answers with the email as that very change left it. */
export function createChangeStore({ emails }: Writes<'emails'>) {
  return {
    find(workspaceId: string, emailId: string, budget: TimeBudget): Promise<ChangedEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, SHOWN, timeLimit(budget)).lean<ChangedEmail | null>();
    },

    /** Null where what the change depends on is not so, or is so no longer. */
    change(workspaceId: string, change: EmailChange, budget: TimeBudget): Promise<ChangedEmail | null> {
      return emails
        .findOneAndUpdate({ ...change.when, workspaceId, _id: change.emailId }, updateOf(change), {
          ...timeLimit(budget),
          projection: SHOWN,
          returnDocument: 'after',
        })
        .lean<ChangedEmail | null>();
    },
  };
}
