import type { Collections } from '@postroom/mail-store/collections';
import type { EnvelopePart, MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

const BATCH = 200;
const PLAIN = { 'server.password': { $gt: '' } };

/** What mailboxes are logged in with, sealed or not yet. */
export function createCredentialStore({ mailboxes }: Collections) {
  return {
    /** Puts the sealed password in the place of the plain one, if that is still the same. */
    seal: async (workspaceId: string, mailboxId: string, plain: string, sealed: EnvelopePart): Promise<void> => {
      await mailboxes.updateOne(
        { _id: mailboxId, workspaceId, 'server.password': plain },
        { $set: { credentials: sealed }, $unset: { 'server.password': '' } },
      );
    },

    /** Changes the wrapping alone, if nobody has changed what is in it. */
    rewrap: async (
      workspaceId: string,
      mailboxId: string,
      { keyId, wrappedKey }: EnvelopePart,
      before: EnvelopePart,
    ) => {
      await mailboxes.updateOne(
        { _id: mailboxId, workspaceId, 'credentials.wrappedKey': before.wrappedKey },
        { $set: { 'credentials.keyId': keyId, 'credentials.wrappedKey': wrappedKey } },
      );
    },
  };
}

/** Of every workspace: an operator turns all keys at once. */
export function createSealedStore({ mailboxes }: Collections) {
  const page = (found: object, afterId: string): Promise<MailboxDocument[]> =>
    mailboxes
      .find({ ...found, _id: { $gt: afterId } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .maxTimeMS(10_000)
      .lean<MailboxDocument[]>();
  return {
    everyPlain: (afterId: string) => page(PLAIN, afterId),
    everyNotUnder: (afterId: string, keyId: string) => page({ 'credentials.keyId': { $gt: '', $ne: keyId } }, afterId),
    everyCountPlain: (budget: TimeBudget) => mailboxes.countDocuments(PLAIN, timeLimit(budget)),
    everyCountByKey: (budget: TimeBudget): Promise<{ _id: string; count: number }[]> =>
      mailboxes
        .aggregate<{ _id: string; count: number }>([
          { $match: { 'credentials.keyId': { $gt: '' } } },
          { $group: { _id: '$credentials.keyId', count: { $sum: 1 } } },
          { $sort: { _id: -1 } },
        ])
        .option(timeLimit(budget)),
  };
}

export type CredentialStore = ReturnType<typeof createCredentialStore>;
export type SealedStore = ReturnType<typeof createSealedStore>;
