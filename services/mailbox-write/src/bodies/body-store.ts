import type { Reads, Writes } from '@postroom/mail-store/access';
import type { BodyDocument, EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type BodyStore = ReturnType<typeof createBodyStore>;
export type Evictable = Pick<BodyDocument, '_id' | 'workspaceId' | 'mailboxId'>;
export type Bodiless = Pick<EmailDocument, '_id' | 'mailboxId' | 'messageId' | 'isDraft' | 'bodyVersion' | 'place'>;

const EVICTABLE = { workspaceId: 1, mailboxId: 1 } as const;
const BODILESS = { mailboxId: 1, messageId: 1, isDraft: 1, bodyVersion: 1, place: 1 } as const;

/** Bodies are a cache of the provider's messages: an unused body is evicted, and restored when it is needed. */
export function createBodyStore({ bodies, emails, mailboxes }: Writes<'bodies' | 'emails'> & Reads<'mailboxes'>) {
  const within = (workspaceId: string, ids: readonly string[], before: Date) => ({
    workspaceId,
    _id: { $in: ids },
    evictableSince: { $lt: before, $gt: new Date(0) },
  });

  return {
    /** Bodies of all workspaces that nobody has stored or fetched since then, the oldest first. */
    everyEvictable(before: Date, limit: number): Promise<Evictable[]> {
      return bodies
        .find({ evictableSince: { $lt: before, $gt: new Date(0) } }, EVICTABLE, QUERY_LIMIT)
        .sort({ evictableSince: 1, _id: 1 })
        .limit(limit)
        .lean<Evictable[]>();
    },

    /** Of these emails those that their provider could give again now, as far as is known here. */
    async fetchable(workspaceId: string, emailIds: readonly string[]): Promise<string[]> {
      const there = { 'place.uid': { $gt: 0 }, gone: { $exists: false }, isDraft: false };
      const located = await emails
        .find({ workspaceId, _id: { $in: emailIds }, ...there }, { mailboxId: 1 }, QUERY_LIMIT)
        .lean<Pick<EmailDocument, '_id' | 'mailboxId'>[]>();
      const ids = [...new Set(located.map(({ mailboxId }) => mailboxId))];
      const active = await mailboxes
        .find({ workspaceId, _id: { $in: ids }, provider: 'imap', status: 'active' }, { _id: 1 }, QUERY_LIMIT)
        .lean<Pick<MailboxDocument, '_id'>[]>();
      const connected = new Set(active.map(({ _id }) => _id));
      return located.filter(({ mailboxId }) => connected.has(mailboxId)).map(({ _id }) => _id);
    },

    /** Returns the number of evicted bodies. A body that was stored or fetched meanwhile stays. */
    async evict(workspaceId: string, emailIds: readonly string[], before: Date): Promise<number> {
      return (await bodies.deleteMany(within(workspaceId, emailIds, before), QUERY_LIMIT)).deletedCount;
    },

    /** They are checked again later. */
    async spare(workspaceId: string, emailIds: readonly string[], before: Date, at: Date): Promise<void> {
      await bodies.updateMany(within(workspaceId, emailIds, before), { $set: { evictableSince: at } }, QUERY_LIMIT);
    },

    ...restoring({ bodies, emails }),
  };
}

function restoring({ bodies, emails }: Writes<'bodies'> & Reads<'emails'>) {
  return {
    bodiless(workspaceId: string, emailId: string): Promise<Bodiless | null> {
      return emails.findOne({ workspaceId, _id: emailId }, BODILESS, QUERY_LIMIT).lean<Bodiless | null>();
    },

    async versionOf(workspaceId: string, emailId: string): Promise<string | null> {
      const body = await bodies
        .findOne({ workspaceId, _id: emailId }, { version: 1 }, QUERY_LIMIT)
        .lean<Pick<BodyDocument, 'version'> | null>();
      return body?.version ?? null;
    },

    /** Nothing where another body was stored since this version was read. */
    async restore(workspaceId: string, { _id, ...body }: BodyDocument, version: string | null): Promise<void> {
      await bodies
        .replaceOne({ _id, workspaceId, version }, body, { upsert: true, ...QUERY_LIMIT })
        .catch((error: unknown) => {
          if (!isAnyDuplicate(error)) throw error;
        });
    },
  };
}
