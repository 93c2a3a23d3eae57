import { ApiError } from '@postroom/errors/api-error';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import { toMessageLabelRef, type LabelRefDocument } from '@postroom/mail-store/label-ref';
import type { Explanation, MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Handlers } from '@postroom/rpc/definition';
import type { ReadDirectoryStore } from '../directory/directory-store.ts';
import type { ExplanationStore } from './explanation-store.ts';
import { hidingCauses } from './hiding-causes.ts';

export type { ExplanationStore } from './explanation-store.ts';

export interface ExplainingDeps {
  directory: ReadDirectoryStore;
  explanations: ExplanationStore;
}

export function explainingHandlers({ directory, explanations }: ExplainingDeps) {
  return {
    explainEmail: async ({ emailId }, call) => {
      const { workspaceId } = call;
      const email = await explanations.email(workspaceId, emailId, call);
      if (!email) throw new ApiError('EMAIL_NOT_FOUND');
      const [classification, filters, hidingLabelIds] = await Promise.all([
        explanations.classification(workspaceId, emailId, call),
        directory.inboxFilters(workspaceId, call),
        directory.hidingLabelIds(workspaceId, call),
      ]);
      const decided = classification?.verdicts.map(({ labelId }) => labelId) ?? [];
      const living = await explanations.labels(workspaceId, [...new Set([...email.labelIds, ...decided])], call);
      const labels = living.filter(({ _id }) => email.labelIds.includes(_id));
      return {
        labels: labels.map(toMessageLabelRef),
        explanation: classification ? toMessageExplanation(classification, living) : undefined,
        hiddenBy: hidingCauses(email, { filters, hidingLabelIds, labels }),
      };
    },
  } satisfies Partial<Handlers<MailboxReadServiceDefinition>>;
}

function toMessageExplanation(
  { verdicts, model, isBackfill, createdAt }: ClassificationDocument,
  labels: readonly LabelRefDocument[],
): Explanation {
  return {
    rules: verdicts.map(({ ruleId, labelId, applies, confidence, reason }) => {
      const label = labels.find(({ _id }) => _id === labelId);
      return { ruleId, label: label && toMessageLabelRef(label), applies, confidence, reason };
    }),
    model,
    isBackfill,
    decidedAt: createdAt.toISOString(),
  };
}
