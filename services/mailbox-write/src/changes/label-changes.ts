import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { LabelEffectPart } from '@postroom/mail-store/documents/effect';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { ServiceContext } from '@postroom/runtime/service';
import { type AppliedLabel, type Changed, createMakers, type EmailChange } from './email-change.ts';

export type ClassifiedEmail = Changed &
  Pick<EmailDocument, 'labelIds' | 'senderAddress' | 'subject'> &
  Partial<Pick<EmailDocument, 'classifiedAt' | 'isAutomatic'>>;

const namesOfAi = (labels: readonly AppliedLabel[]): string[] =>
  labels.filter(({ isAiLabel }) => isAiLabel).map(({ name }) => name);

/** The verdicts that put labels on. */
type LabelVerdicts = Pick<ClassificationDocument, 'verdicts' | 'model' | 'isBackfill'>;

export type LabelChanges = ReturnType<typeof createLabelChanges>;

/** Changes of an email's labels, each with the word of it. */
export function createLabelChanges(context: Pick<ServiceContext, 'ids' | 'clock'>) {
  const { event, change, applied } = createMakers(context);
  const removed = (workspaceId: string, { _id: emailId, mailboxId }: Changed, labelId: string) => ({
    [`removed:${labelId}`]: event(workspaceId, 'label.removed', { emailId, mailboxId, tagId: labelId }),
  });
  return {
    labelled(workspaceId: string, email: Changed, label: AppliedLabel): EmailChange {
      return change(email, {
        when: { labelIds: { $ne: label._id } },
        labelsAdded: [label._id],
        events: applied(workspaceId, email, [label]),
      });
    },

    /** The labels that are missing, and the event that the email is classified. A backfill makes no such event. */
    classified(
      workspaceId: string,
      email: ClassifiedEmail,
      labels: readonly AppliedLabel[],
      said: LabelVerdicts,
    ): EmailChange {
      const { _id: emailId, mailboxId, labelIds } = email;
      const added = labels.filter(({ _id }) => !labelIds.includes(_id));
      const labelsAdded = added.map(({ _id }) => _id);
      const events = applied(workspaceId, email, added);
      const effects = labelsAdded.map((labelId) => effectOf(labelId, said, context));
      const when = { labelIds: { $nin: labelsAdded } };
      if (said.isBackfill) return change(email, { when, labelsAdded, effects, events });
      const { senderAddress: sender, subject, isAutomatic } = email;
      const compared = { sender, subject, labelNames: namesOfAi(labels), isAutomatic };
      const data = { emailId, mailboxId, labelIds: labels.map(({ _id }) => _id), compared };
      return change(email, {
        when: { ...when, classifiedAt: { $exists: false } },
        set: { classifiedAt: context.clock.date() },
        unset: ['awaitsClassificationSince', 'classification'],
        labelsAdded,
        effects,
        events: { ...events, classified: event(workspaceId, 'email.classified', data) },
      });
    },

    unlabelled(workspaceId: string, email: Changed, labelId: string): EmailChange {
      const events = removed(workspaceId, email, labelId);
      return change(email, { when: { labelIds: labelId }, labelRemoved: labelId, events });
    },

    /** Takes back a label that stands by its rule alone. */
    takenBack(workspaceId: string, email: Changed, { id, labelId }: LabelEffectPart, by: string): EmailChange {
      const when = { labelIds: labelId, ruleLabelIds: labelId, 'undoneEffects.effectId': { $ne: id } };
      const undone = { effectId: id, by, at: context.clock.date() };
      return change(email, { when, labelRemoved: labelId, undone, events: removed(workspaceId, email, labelId) });
    },
  };
}

function effectOf(
  labelId: string,
  { verdicts, model, isBackfill }: LabelVerdicts,
  { ids, clock }: Pick<ServiceContext, 'ids' | 'clock'>,
): LabelEffectPart {
  const verdict = verdicts.find((one) => one.applies && one.labelId === labelId);
  if (!verdict) throw new Error('a label without a verdict that applies it');
  const { ruleId, confidence, reason, ruleUpdatedAt } = verdict;
  const version = ruleUpdatedAt && { ruleUpdatedAt };
  return { id: ids('eff'), labelId, ruleId, ...version, model, confidence, reason, isBackfill, at: clock.date() };
}
