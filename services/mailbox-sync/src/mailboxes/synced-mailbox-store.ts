import type { Reads } from '@postroom/mail-store/access';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type SyncedMailboxStore = ReturnType<typeof createSyncedMailboxStore>;
type Named = Pick<MailboxDocument, '_id' | 'workspaceId'>;

const NAMED = { workspaceId: 1 } as const;

/** Mailboxes, which workspace writes. */
export function createSyncedMailboxStore({ mailboxes }: Reads<'mailboxes'>) {
  return {
    find(workspaceId: string, mailboxId: string): Promise<MailboxDocument | null> {
      return mailboxes.findOne({ _id: mailboxId, workspaceId }, null, QUERY_LIMIT).lean<MailboxDocument | null>();
    },

    /** A page of all that are to be connected, behind an id. */
    everyConnected(after: string, limit: number): Promise<Named[]> {
      return mailboxes
        .find({ _id: { $gt: after }, provider: 'imap', status: 'active' }, NAMED, QUERY_LIMIT)
        .sort({ _id: 1 })
        .limit(limit)
        .lean<Named[]>();
    },

    /** The mailboxes among these that must no longer be connected. */
    async everyInactive(mailboxIds: readonly string[]): Promise<string[]> {
      const active = await mailboxes
        .find({ _id: { $in: mailboxIds }, status: 'active' }, { _id: 1 }, QUERY_LIMIT)
        .lean<Pick<MailboxDocument, '_id'>[]>();
      const ids = new Set(active.map(({ _id }) => _id));
      return mailboxIds.filter((id) => !ids.has(id));
    },
  };
}
