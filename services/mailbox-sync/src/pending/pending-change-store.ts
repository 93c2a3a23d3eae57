import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument, LocationPart } from '@postroom/mail-store/documents/email';
import { pendingPieceId } from '@postroom/mail-store/pending-piece-id';
import { bufferOf, type StoredBytes } from '@postroom/mail-store/stored-bytes';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type PendingChangeStore = ReturnType<typeof createPendingChangeStore>;
/** An email with pending changes for its provider. */
export type ChangedEmail = Pick<
  EmailDocument,
  | '_id'
  | 'messageId'
  | 'operation'
  | 'date'
  | 'isRead'
  | 'isStarred'
  | 'place'
  | 'providerChanges'
  | 'providerChangesSince'
>;

const PENDING = {
  messageId: 1,
  operation: 1,
  date: 1,
  isRead: 1,
  isStarred: 1,
  place: 1,
  providerChanges: 1,
  providerChangesSince: 1,
} as const;

/** The changes that are not at the provider yet. mailbox-write owns the list. */
export function createPendingChangeStore({ emails, pendingCopies }: Reads<'emails' | 'pendingCopies'>) {
  return {
    /** The oldest first. */
    find(workspaceId: string, mailboxId: string, limit: number): Promise<ChangedEmail[]> {
      return emails
        .find({ workspaceId, mailboxId, providerChangesSince: { $gt: new Date(0) } }, PENDING, QUERY_LIMIT)
        .sort({ providerChangesSince: 1, _id: 1 })
        .limit(limit)
        .lean<ChangedEmail[]>();
    },

    /** The IMAP location of an email. */
    async locationOf(workspaceId: string, emailId: string): Promise<LocationPart | undefined> {
      const email = await emails
        .findOne({ workspaceId, _id: emailId }, { place: 1 }, QUERY_LIMIT)
        .lean<Pick<EmailDocument, 'place'> | null>();
      return email?.place;
    },

    /** The bytes of the pending copy with this id. */
    async copyOf(workspaceId: string, changeId: string): Promise<Buffer | null> {
      const find = (_id: string) =>
        pendingCopies
          .findOne({ _id, workspaceId }, { raw: 1, pieces: 1 }, QUERY_LIMIT)
          .lean<{ raw: StoredBytes; pieces?: number } | null>();
      const first = await find(changeId);
      const ids = Array.from({ length: (first?.pieces ?? 1) - 1 }, (_, at) => pendingPieceId(changeId, at + 1));
      const all = [first, ...(await Promise.all(ids.map(find)))].map((piece) => piece && bufferOf(piece.raw));
      return all.every((piece) => piece !== null) ? Buffer.concat(all) : null;
    },

    /**
     * The mailboxes of all workspaces with changes that are pending since then, the oldest change first. It reads a bounded
     * number of emails at a time without the mailboxes that it has found, so that many changes of one mailbox hide no other.
     */
    async everyPendingSince(since: Date, atOnce: number): Promise<string[]> {
      const found = new Set<string>();
      for (;;) {
        const pending = await emails
          .find(
            { providerChangesSince: { $gt: since }, mailboxId: { $nin: [...found] } },
            { mailboxId: 1 },
            QUERY_LIMIT,
          )
          .sort({ providerChangesSince: 1 })
          .limit(atOnce)
          .lean<Pick<EmailDocument, 'mailboxId'>[]>();
        for (const { mailboxId } of pending) found.add(mailboxId);
        if (pending.length < atOnce) return [...found];
      }
    },
  };
}
