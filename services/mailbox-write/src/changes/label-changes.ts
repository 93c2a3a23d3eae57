import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { LabelEffectPart } from '@postroom/mail-store/documents/effect';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { ServiceContext } from '@postroom/runtime/service';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import { type AppliedLabel, type Changed, createMakers, type EmailChange } from './email-change.ts';

export type ClassifiedEmail = Changed &
  Pick<EmailDocument, 'labelIds' | 'senderAddress' | 'subject'> &
  Partial<Pick<EmailDocument, 'classifiedAt' | 'isAutomatic'>> & { labelEffects?: { id: string }[] };

const namesOfAi = (labels: readonly AppliedLabel[]): string[] =>
  labels.filter(({ isAiLabel }) => isAiLabel).map(({ name }) => name);

/** The verdicts that put labels on, and the backfill that asked for them. */
type LabelVerdicts = Pick<ClassificationDocument, 'verdicts' | 'model' | 'isBackfill'> & {
  backfillId?: string | undefined;
};

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
    classified(workspaceId: string, email: ClassifiedEmail, labels: AppliedLabel[], said: LabelVerdicts): EmailChange {
      const added = missingOn(email, labels, said);
      const labelsAdded = added.map(({ _id }) => _id);
      const events = applied(workspaceId, email, added);
      const effects = labelsAdded.map((labelId) => effectOf(labelId, email._id, said, context));
      const when = { labelIds: { $nin: labelsAdded } };
      if (said.isBackfill) {
        const isFirst = { ...when, 'labelEffects.id': { $nin: effects.map(({ id }) => id) } };
        return change(email, { when: isFirst, labelsAdded, effects, events });
      }
      return change(email, {
        when: { ...when, classifiedAt: { $exists: false } },
        set: { classifiedAt: context.clock.date() },
        unset: ['awaitsClassificationSince', 'classification'],
        labelsAdded,
        effects,
        events: { ...events, classified: event(workspaceId, 'email.classified', classifiedAs(email, labels)) },
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

function classifiedAs(email: ClassifiedEmail, labels: readonly AppliedLabel[]) {
  const { _id: emailId, mailboxId, senderAddress: sender, subject, isAutomatic } = email;
  const compared = { sender, subject, labelNames: namesOfAi(labels), isAutomatic };
  return { emailId, mailboxId, labelIds: labels.map(({ _id }) => _id), compared };
}

/** A batch of a backfill that is repeated behind a crash leaves alone what somebody took off meanwhile. */
function missingOn(email: ClassifiedEmail, labels: readonly AppliedLabel[], said: LabelVerdicts): AppliedLabel[] {
  const { _id: emailId, labelIds, labelEffects = [] } = email;
  const known = new Set(labelEffects.map(({ id }) => id));
  const isGiven = (labelId: string) => known.has(effectIdOf(labelId, emailId, said) ?? '');
  return labels.filter(({ _id }) => !labelIds.includes(_id) && !isGiven(_id));
}

const effectIdOf = (labelId: string, emailId: string, { backfillId }: LabelVerdicts): string | undefined =>
  backfillId === undefined ? undefined : deterministicId('eff', backfillId, emailId, labelId);

function effectOf(
  labelId: string,
  emailId: string,
  said: LabelVerdicts,
  { ids, clock }: Pick<ServiceContext, 'ids' | 'clock'>,
): LabelEffectPart {
  const { verdicts, model, isBackfill } = said;
  const verdict = verdicts.find((one) => one.applies && one.labelId === labelId);
  if (!verdict) throw new Error('a label without a verdict that applies it');
  const { ruleId, confidence, reason, ruleUpdatedAt } = verdict;
  const version = ruleUpdatedAt && { ruleUpdatedAt };
  const id = effectIdOf(labelId, emailId, said) ?? ids('eff');
  return { id, labelId, ruleId, ...version, model, confidence, reason, isBackfill, at: clock.date() };
}
