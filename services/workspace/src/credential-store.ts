import type { Writes } from '@postroom/mail-store/access';
import type { EnvelopePart, MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { timeLimit, type TimeBudget, QUERY_LIMIT } from '@postroom/mail-store/time-limit';

const BATCH = 200;
const PLAIN = { 'server.password': { $gt: '' } };

/** What mailboxes are logged in with, sealed or not yet. */
export function createCredentialStore({ mailboxes }: Writes<'mailboxes'>) {
  return {
    /** Puts the sealed password in the place of the plain one, if that is still the same. */
    seal: async (workspaceId: string, mailboxId: string, plain: string, sealed: EnvelopePart): Promise<void> => {
      await mailboxes.updateOne(
        { _id: mailboxId, workspaceId, 'server.password': plain },
        { $set: { credentials: sealed }, $unset: { 'server.password': '' } },
      );
    },

    /** What was being renewed with those before is not taken any more. */
    replace: async (workspaceId: string, mailboxId: string, sealed: EnvelopePart, budget: TimeBudget) => {
      await mailboxes.updateOne(
        { _id: mailboxId, workspaceId },
        {
          $set: { credentials: sealed, 'tokenLock.holder': null, 'tokenLock.until': null },
          $inc: { 'tokenLock.epoch': 1 },
        },
        timeLimit(budget),
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

interface Lock {
  epoch: number;
  holder: string;
  until: Date;
}

/** Who may renew them, and what they are renewed to. */
export function createRenewalStore({ mailboxes }: Writes<'mailboxes'>) {
  return {
    /** False where somebody holds it, or it rests, or the credentials are others by now. */
    lock: async (workspaceId: string, mailboxId: string, { epoch, ...lock }: Lock, now: Date, budget: TimeBudget) => {
      const { matchedCount } = await mailboxes.updateOne(
        {
          _id: mailboxId,
          workspaceId,
          'tokenLock.epoch': epoch,
          $or: [{ 'tokenLock.until': null }, { 'tokenLock.until': { $lte: now } }],
        },
        { $set: { tokenLock: { epoch, ...lock } } },
        timeLimit(budget),
      );
      return matchedCount > 0;
    },

    /** Given back by whoever holds it; nobody gets it before. */
    rest: async (workspaceId: string, mailboxId: string, holder: string, until: Date, budget: TimeBudget) => {
      await mailboxes.updateOne(
        { _id: mailboxId, workspaceId, 'tokenLock.holder': holder },
        { $set: { 'tokenLock.holder': null, 'tokenLock.until': until } },
        timeLimit(budget),
      );
    },

    /** By the epoch and not by the lock: whoever was so slow as to lose the lock holds the newest tokens all the same. */
    save: async (workspaceId: string, mailboxId: string, epoch: number, sealed: EnvelopePart, budget: TimeBudget) => {
      const { matchedCount } = await mailboxes.updateOne(
        { _id: mailboxId, workspaceId, 'tokenLock.epoch': epoch },
        {
          $set: { credentials: sealed, tokenLock: { epoch: epoch + 1, holder: null, until: null } },
          // A report on the tokens before, such as that their grant is gone, comes too late.
          $inc: { 'sync.revision': 1 },
        },
        timeLimit(budget),
      );
      return matchedCount > 0;
    },
  };
}

/** Of every workspace: an operator turns all keys at once. */
export function createSealedStore({ mailboxes }: Writes<'mailboxes'>) {
  const page = (found: object, afterId: string): Promise<MailboxDocument[]> =>
    mailboxes
      .find({ ...found, _id: { $gt: afterId } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .maxTimeMS(QUERY_LIMIT.maxTimeMS)
      .lean<MailboxDocument[]>();
  return {
    everyPlain: (afterId: string) => page(PLAIN, afterId),
    everyNotUnder: (afterId: string, keyId: string) => page({ 'credentials.keyId': { $gt: '', $ne: keyId } }, afterId),
    everyCountPlain: (budget: TimeBudget) => mailboxes.countDocuments(PLAIN, timeLimit(budget)),
    /** The newest key first; a few keys hold all of them, so each is looked for behind the one before. */
    everyCountByKey: async (budget: TimeBudget): Promise<{ _id: string; count: number }[]> => {
      const counts: { _id: string; count: number }[] = [];
      for (;;) {
        const after = { 'credentials.keyId': { $gt: counts.at(-1)?._id ?? '' } };
        const next = await mailboxes
          .findOne(after, { credentials: 1 }, timeLimit(budget))
          .sort({ 'credentials.keyId': 1 })
          .lean<Pick<MailboxDocument, 'credentials'> | null>();
        const keyId = next?.credentials?.keyId;
        if (keyId === undefined) return counts.reverse();
        const count = await mailboxes.countDocuments({ 'credentials.keyId': keyId }, timeLimit(budget));
        counts.push({ _id: keyId, count });
      }
    },
  };
}

export type CredentialStore = ReturnType<typeof createCredentialStore>;
export type RenewalStore = ReturnType<typeof createRenewalStore>;
export type SealedStore = ReturnType<typeof createSealedStore>;
