import type { Reads } from '@postroom/mail-store/access';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import { SENDS_OF_RULES } from '@postroom/mail-store/effect-state';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { livingLabels } from '@postroom/mail-store/label-ref';
import { outgoingKey, replyOperation } from '@postroom/mail-store/outgoing-key';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type ExplanationStore = ReturnType<typeof createExplanationStore>;
export type ExplainedEmail = Pick<
  EmailDocument,
  | '_id'
  | 'mailboxId'
  | 'folderType'
  | 'labelIds'
  | 'labelEffects'
  | 'ruleLabelIds'
  | 'undoneEffects'
  | 'senderAddress'
  | 'senderDomain'
  | 'folded'
>;

const DRAFT = {
  _id: 1,
  isDraft: 1,
  folderType: 1,
  scheduledStatus: 1,
  draft: 1,
  date: 1,
  undoneEffects: 1,
} as const;
export type PreparedDraft = Pick<EmailDocument, keyof typeof DRAFT>;

const SENT = {
  _id: 1,
  kind: 1,
  state: 1,
  ruleId: 1,
  ruleUpdatedAt: 1,
  reason: 1,
  undone: 1,
  to: 1,
  createdAt: 1,
} as const;
export type SendOfRule = Pick<SendDocument, keyof typeof SENT>;

const EXPLAINED = {
  _id: 1,
  mailboxId: 1,
  folderType: 1,
  labelIds: 1,
  labelEffects: 1,
  ruleLabelIds: 1,
  undoneEffects: 1,
  senderAddress: 1,
  senderDomain: 1,
  'folded.subject': 1,
} as const;

/** The facts about one email that explain its labels and where it is shown. */
export function createExplanationStore(collections: Reads<'emails' | 'classifications' | 'labels' | 'sends'>) {
  const { emails, classifications, sends } = collections;
  return {
    email(workspaceId: string, emailId: string, budget: TimeBudget): Promise<ExplainedEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, EXPLAINED, timeLimit(budget)).lean<ExplainedEmail | null>();
    },

    classification(workspaceId: string, emailId: string, budget: TimeBudget): Promise<ClassificationDocument | null> {
      return classifications
        .findOne({ workspaceId, _id: emailId }, null, timeLimit(budget))
        .lean<ClassificationDocument | null>();
    },

    /** The draft that a rule prepared to answer an email, sent or not. */
    preparedDraft(
      workspaceId: string,
      { _id, mailboxId }: Pick<EmailDocument, '_id' | 'mailboxId'>,
      budget: TimeBudget,
    ): Promise<PreparedDraft | null> {
      const made = { workspaceId, mailboxId, sourceKey: outgoingKey(replyOperation(_id)) };
      return emails.findOne(made, DRAFT, timeLimit(budget)).lean<PreparedDraft | null>();
    },

    /** The replies and forwards that rules made of an email, the oldest first. */
    sendsOfRules(workspaceId: string, emailId: string, budget: TimeBudget): Promise<SendOfRule[]> {
      const made = { workspaceId, sourceEmailId: emailId, kind: { $in: SENDS_OF_RULES } };
      return sends.find(made, SENT, timeLimit(budget)).sort({ createdAt: 1 }).lean<SendOfRule[]>();
    },

    labels: (workspaceId: string, labelIds: readonly string[], budget: TimeBudget) =>
      livingLabels(collections, workspaceId, labelIds, budget),
  };
}
