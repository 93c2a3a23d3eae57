import { ApiError } from '@postroom/errors/api-error';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import { toMessageLabelRef, type LabelRefDocument } from '@postroom/mail-store/label-ref';
import type { Explanation, MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SettingsStore } from '../workspace-settings/settings-store.ts';
import type { ExplanationStore } from './explanation-store.ts';
import { effectsOf } from './effects.ts';
import { hidingCauses } from './hiding-causes.ts';

export type { ExplanationStore } from './explanation-store.ts';

export interface ExplainingDeps {
  context: Pick<ServiceContext, 'clock'>;
  settings: SettingsStore;
  explanations: ExplanationStore;
}

export function explainingHandlers({ settings, explanations, context: { clock } }: ExplainingDeps) {
  return {
    explainEmail: async ({ emailId }, call) => {
      const { workspaceId } = call;
      const email = await explanations.email(workspaceId, emailId, call);
      if (!email) throw new ApiError('EMAIL_NOT_FOUND');
      const [classification, filters, hidingLabelIds, draft, sends] = await Promise.all([
        explanations.classification(workspaceId, emailId, call),
        settings.inboxFilters(workspaceId, call),
        settings.hidingLabelIds(workspaceId, call),
        explanations.preparedDraft(workspaceId, email, call),
        explanations.sendsOfRules(workspaceId, emailId, call),
      ]);
      const decided = classification?.verdicts.map(({ labelId }) => labelId) ?? [];
      const changed = email.labelEffects?.map(({ labelId }) => labelId) ?? [];
      const asked = [...new Set([...email.labelIds, ...decided, ...changed])];
      const living = await explanations.labels(workspaceId, asked, call);
      const labels = living.filter(({ _id }) => email.labelIds.includes(_id));
      return {
        labels: labels.map(toMessageLabelRef),
        explanation: classification ? toMessageExplanation(classification, living) : undefined,
        effects: effectsOf(email, { classification, draft, sends, labels: living, hidingLabelIds, now: clock.date() }),
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
