import type { Reads } from '@postroom/mail-store/access';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { livingLabels, type LabelRefDocument } from '@postroom/mail-store/label-ref';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import type { Home } from './email-change.ts';

export type LookupStore = ReturnType<typeof createLookupStore>;

/** The collections of other services that changes read: labels and mailboxes. */
export function createLookupStore(collections: Reads<'mailboxes' | 'labels'>) {
  const { mailboxes } = collections;
  return {
    async label(workspaceId: string, labelId: string, budget: TimeBudget): Promise<LabelRefDocument | undefined> {
      const [label] = await livingLabels(collections, workspaceId, [labelId], budget);
      return label;
    },

    /** The live labels among the ids, in the order of the ids. An email may carry the id of a deleted label. */
    async labels(workspaceId: string, labelIds: string[], budget: TimeBudget): Promise<LabelRefDocument[]> {
      const found = await livingLabels(collections, workspaceId, labelIds, budget);
      const byId = new Map(found.map((label) => [label._id, label]));
      return labelIds.flatMap((labelId) => byId.get(labelId) ?? []);
    },

    async homes(workspaceId: string, mailboxIds: string[], budget: TimeBudget): Promise<(mailboxId: string) => Home> {
      const found = await mailboxes
        .find({ workspaceId, _id: { $in: [...new Set(mailboxIds)] } }, { provider: 1, folders: 1 }, timeLimit(budget))
        .lean<Pick<MailboxDocument, '_id' | 'provider' | 'folders'>[]>();
      const byId = new Map(found.map((mailbox) => [mailbox._id, toHome(mailbox)]));
      return (mailboxId) => byId.get(mailboxId) ?? { tellsProvider: false, trashFolderId: null };
    },
  };
}

function toHome({ provider, folders }: Pick<MailboxDocument, 'provider' | 'folders'>): Home {
  const trash = folders.find(({ type }) => type === 'TRASH');
  return { tellsProvider: provider === 'imap', trashFolderId: trash?.id ?? null };
}
