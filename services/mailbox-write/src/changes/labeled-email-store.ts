import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

type LabeledEmail = Pick<EmailDocument, '_id' | 'mailboxId'>;
export type LabeledEmailStore = ReturnType<typeof createLabeledEmailStore>;

/** The emails that carry a deleted label. */
export function createLabeledEmailStore({ emails }: Writes<'emails'>) {
  return {
    /** The newest of them. */
    find(workspaceId: string, labelId: string, most: number, budget: TimeBudget): Promise<LabeledEmail[]> {
      return emails
        .find({ workspaceId, labelIds: labelId }, { _id: 1, mailboxId: 1 }, timeLimit(budget))
        .sort({ date: -1, _id: -1 })
        .limit(most)
        .lean<LabeledEmail[]>();
    },
  };
}
