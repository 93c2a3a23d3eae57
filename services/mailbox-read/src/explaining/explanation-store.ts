import type { Reads } from '@postroom/mail-store/access';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { livingLabels } from '@postroom/mail-store/label-ref';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type ExplanationStore = ReturnType<typeof createExplanationStore>;
export type ExplainedEmail = Pick<
  EmailDocument,
  '_id' | 'folderType' | 'labelIds' | 'senderAddress' | 'senderDomain' | 'folded'
>;

const EXPLAINED = {
  _id: 1,
  folderType: 1,
  labelIds: 1,
  senderAddress: 1,
  senderDomain: 1,
  'folded.subject': 1,
} as const;

/** The facts about one email that explain its labels and where it is shown. */
export function createExplanationStore(collections: Reads<'emails' | 'classifications' | 'labels'>) {
  const { emails, classifications } = collections;
  return {
    email(workspaceId: string, emailId: string, budget: TimeBudget): Promise<ExplainedEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, EXPLAINED, timeLimit(budget)).lean<ExplainedEmail | null>();
    },

    classification(workspaceId: string, emailId: string, budget: TimeBudget): Promise<ClassificationDocument | null> {
      return classifications
        .findOne({ workspaceId, _id: emailId }, null, timeLimit(budget))
        .lean<ClassificationDocument | null>();
    },

    labels: (workspaceId: string, labelIds: readonly string[], budget: TimeBudget) =>
      livingLabels(collections, workspaceId, labelIds, budget),
  };
}
