import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { outgoingKey, replyOperation } from '@postroom/mail-store/outgoing-key';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type EffectStore = ReturnType<typeof createEffectStore>;

const AFFECTED = { _id: 1, mailboxId: 1, labelIds: 1, labelEffects: 1, ruleLabelIds: 1, undoneEffects: 1 } as const;
type AffectedEmail = Pick<EmailDocument, keyof typeof AFFECTED>;

const DRAFT = { _id: 1, mailboxId: 1, isDraft: 1, folderType: 1, scheduledStatus: 1, undoneEffects: 1 } as const;
type RuleDraft = Pick<EmailDocument, keyof typeof DRAFT>;

/** The effects of rules on emails, with the state on which their undo depends. */
export function createEffectStore({ emails }: Writes<'emails'>) {
  return {
    email(workspaceId: string, emailId: string, budget: TimeBudget): Promise<AffectedEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, AFFECTED, timeLimit(budget)).lean<AffectedEmail | null>();
    },

    /** The draft that a rule prepared to answer an email. It may have been sent since. */
    draft(
      workspaceId: string,
      { _id, mailboxId }: Pick<EmailDocument, '_id' | 'mailboxId'>,
      budget: TimeBudget,
    ): Promise<RuleDraft | null> {
      const made = { workspaceId, mailboxId, sourceKey: outgoingKey(replyOperation(_id)) };
      return emails.findOne(made, DRAFT, timeLimit(budget)).lean<RuleDraft | null>();
    },
  };
}
