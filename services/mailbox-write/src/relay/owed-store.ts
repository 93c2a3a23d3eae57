import type { Collections } from '@postroom/mail-store/collections';
import type { EmailDocument } from '@postroom/mail-store/documents/email';

export type Owing = Pick<EmailDocument, '_id' | 'workspaceId' | 'mailboxId' | 'date' | 'receivedAt' | 'owed'>;

const FIELDS = { workspaceId: 1, mailboxId: 1, date: 1, receivedAt: 1, owed: 1 } as const;
const LIMIT = { maxTimeMS: 10_000 } as const;

export type OwedStore = ReturnType<typeof createOwedStore>;

/** What emails of every workspace owe the bus: the relay serves them all, so no workspace is asked for here. */
export function createOwedStore({ emails }: Collections) {
  return {
    everyWorkspaces(limit: number): Promise<Owing[]> {
      return emails.find({ hasOwed: true }, FIELDS, LIMIT).sort({ receivedAt: 1, _id: 1 }).limit(limit).lean<Owing[]>();
    },

    ofEmails(emailIds: readonly string[]): Promise<Owing[]> {
      return emails.find({ _id: { $in: emailIds }, hasOwed: true }, FIELDS, LIMIT).lean<Owing[]>();
    },

    /** How many of these emails owed nothing but one of the events. What came in between is left to the next step. */
    async settleSingle(emailIds: readonly string[], eventIds: readonly string[]): Promise<number> {
      const wanted = { _id: { $in: emailIds }, owed: { $size: 1 }, 'owed.id': { $in: eventIds } };
      const { modifiedCount } = await emails.updateMany(wanted, { $set: { owed: [], hasOwed: false } }, LIMIT);
      return modifiedCount;
    },

    async settle(emailIds: readonly string[], eventIds: readonly string[]): Promise<void> {
      await emails.updateMany({ _id: { $in: emailIds } }, { $pull: { owed: { id: { $in: eventIds } } } }, LIMIT);
    },

    /** Said in the same step as it is looked at: an event that comes in between keeps its email in the index. */
    async lowerFlags(emailIds: readonly string[]): Promise<void> {
      await emails.updateMany({ _id: { $in: emailIds }, owed: { $size: 0 } }, { $set: { hasOwed: false } }, LIMIT);
    },
  };
}
