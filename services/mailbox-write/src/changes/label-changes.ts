import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { ServiceContext } from '@postroom/runtime/service';
import { type AppliedLabel, type Changed, createMakers, type EmailChange } from './email-change.ts';

type ClassifiedEmail = Changed & Pick<EmailDocument, 'labelIds' | 'senderAddress' | 'subject'>;

const namesOfAi = (labels: readonly AppliedLabel[]): string[] =>
  labels.filter(({ isAiLabel }) => isAiLabel).map(({ name }) => name);

export type LabelChanges = ReturnType<typeof createLabelChanges>;

/** Changes of an email's labels, each with the word of it. */
export function createLabelChanges(context: Pick<ServiceContext, 'ids' | 'clock'>) {
  const { event, change, applied } = createMakers(context);
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
      isBackfill: boolean,
    ): EmailChange {
      const { _id: emailId, mailboxId, labelIds } = email;
      const added = labels.filter(({ _id }) => !labelIds.includes(_id));
      const labelsAdded = added.map(({ _id }) => _id);
      const events = applied(workspaceId, email, added);
      const when = { labelIds: { $nin: labelsAdded } };
      if (isBackfill) return change(email, { when, labelsAdded, events });
      const compared = { sender: email.senderAddress, subject: email.subject, labelNames: namesOfAi(labels) };
      const data = { emailId, mailboxId, labelIds: labels.map(({ _id }) => _id), compared };
      return change(email, {
        when: { ...when, classifiedAt: { $exists: false } },
        set: { classifiedAt: context.clock.date() },
        unset: ['awaitsClassificationSince', 'classification'],
        labelsAdded,
        events: { ...events, classified: event(workspaceId, 'email.classified', data) },
      });
    },

    unlabelled(workspaceId: string, email: Changed, labelId: string): EmailChange {
      const { _id: emailId, mailboxId } = email;
      const removed = event(workspaceId, 'label.removed', { emailId, mailboxId, tagId: labelId });
      const events = { [`removed:${labelId}`]: removed };
      return change(email, { when: { labelIds: labelId }, labelRemoved: labelId, events });
    },
  };
}
