import type { Writes } from '@postroom/mail-store/access';
import type { EnvelopePart, MailboxDocument, MailServerPart } from '@postroom/mail-store/documents/mailbox';
import { timeLimit, type TimeBudget, QUERY_LIMIT } from '@postroom/mail-store/time-limit';

interface NewLogin {
  credentials: EnvelopePart;
  /** Absent where the server stays. */
  server?: MailServerPart;
}

const BATCH = 200;
const PLAIN = { 'server.password': { $gt: '' } };

/** The credentials of mailboxes, sealed or not sealed yet. */
export function createCredentialStore({ mailboxes }: Writes<'mailboxes'>) {
  return {
    /** Replaces the plain password by the sealed one if the plain one is still the same. */
    seal: async (workspaceId: string, mailboxId: string, plain: string, sealed: EnvelopePart): Promise<void> => {
      await mailboxes.updateOne(
        { _id: mailboxId, workspaceId, 'server.password': plain },
        { $set: { credentials: sealed }, $unset: { 'server.password': '' } },
      );
    },

    /** A renewal that began with the former credentials is no longer accepted. */
    replace: async (workspaceId: string, mailboxId: string, login: NewLogin, budget: TimeBudget) => {
      await mailboxes.updateOne(
        { _id: mailboxId, workspaceId },
        {
          $set: { ...login, 'tokenLock.holder': null, 'tokenLock.until': null },
          $inc: { 'tokenLock.epoch': 1 },
        },
        timeLimit(budget),
      );
    },

    /** Changes only the wrapping, if nobody changed the content meanwhile. */
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

/** The lock for a renewal, and the renewed credentials. */
export function createRenewalStore({ mailboxes }: Writes<'mailboxes'>) {
  return {
    /** False when the lock is held, when renewals pause, or when the credentials have changed. */
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

    /** Releases the lock of its holder. */
    rest: async (workspaceId: string, mailboxId: string, holder: string, until: Date, budget: TimeBudget) => {
      await mailboxes.updateOne(
        { _id: mailboxId, workspaceId, 'tokenLock.holder': holder },
        { $set: { 'tokenLock.holder': null, 'tokenLock.until': until } },
        timeLimit(budget),
      );
    },

    /** It checks the epoch and not the lock: a holder that was so slow as to lose the lock still has the newest tokens. */
    save: async (workspaceId: string, mailboxId: string, epoch: number, sealed: EnvelopePart, budget: TimeBudget) => {
      const { matchedCount } = await mailboxes.updateOne(
        { _id: mailboxId, workspaceId, 'tokenLock.epoch': epoch },
        {
          $set: { credentials: sealed, tokenLock: { epoch: epoch + 1, holder: null, until: null } },
          // A report about the former tokens, such as a revoked grant, comes too late.
          $inc: { 'sync.revision': 1 },
        },
        timeLimit(budget),
      );
      return matchedCount > 0;
    },
  };
}

/** All workspaces, because an operator rotates all keys at once. */
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
    /** The newest key first. Few keys seal all credentials, so each query asks for the next key id. */
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
