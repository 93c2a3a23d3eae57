import type { Reads } from '@postroom/mail-store/access';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { InboxFilterDocument, ViewDocument } from '@postroom/mail-store/documents/view-filter';
import type { SignatureDocument } from '@postroom/mail-store/documents/workspace';
import { LABEL_REF, livingLabels, type LabelRefDocument } from '@postroom/mail-store/label-ref';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type HidingFilter = Pick<InboxFilterDocument, 'type' | 'value'>;
export type SettingsStore = ReturnType<typeof createSettingsStore>;

const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const;

/** The small collections beside the emails. The hot path reads plain objects, so it uses the driver without mongoose. */
export function createSettingsStore(
  collections: Reads<'mailboxes' | 'signatures' | 'views' | 'labels' | 'aiLabelRules' | 'inboxFilters'>,
) {
  const { mailboxes, signatures, views, labels, aiLabelRules, inboxFilters } = collections;
  return {
    mailboxes(workspaceId: string, budget: TimeBudget) {
      return mailboxes
        .find({ workspaceId }, { server: 0 }, timeLimit(budget))
        .sort(OLDEST_FIRST)
        .lean<Omit<MailboxDocument, 'server'>[]>();
    },

    signatures(workspaceId: string, budget: TimeBudget): Promise<SignatureDocument[]> {
      return signatures
        .find({ workspaceId }, null, timeLimit(budget))
        .sort({ position: 1, _id: 1 })
        .lean<SignatureDocument[]>();
    },

    view(workspaceId: string, viewId: string, budget: TimeBudget): Promise<ViewDocument | null> {
      return views.findOne({ workspaceId, _id: viewId }, null, timeLimit(budget)).lean<ViewDocument | null>();
    },

    labels(workspaceId: string, budget: TimeBudget): Promise<LabelRefDocument[]> {
      return labels.collection
        .find({ workspaceId, deletedAt: null }, { projection: LABEL_REF, ...timeLimit(budget) })
        .toArray() as unknown as Promise<LabelRefDocument[]>;
    },

    livingLabels: (workspaceId: string, labelIds: string[], budget: TimeBudget) =>
      livingLabels(collections, workspaceId, labelIds, budget),

    inboxFilters(workspaceId: string, budget: TimeBudget): Promise<HidingFilter[]> {
      return inboxFilters.collection
        .find({ workspaceId }, { projection: { _id: 0, type: 1, value: 1 }, ...timeLimit(budget) })
        .toArray() as unknown as Promise<HidingFilter[]>;
    },

    async hidingLabelIds(workspaceId: string, budget: TimeBudget): Promise<string[]> {
      const rules = await aiLabelRules.collection
        .find({ workspaceId, hideFromInbox: true }, { projection: { _id: 0, labelId: 1 }, ...timeLimit(budget) })
        .toArray();
      return rules.map(({ labelId }) => String(labelId));
    },
  };
}
