import type { Writes } from '@postroom/mail-store/access';
import type { EnvelopePart, MailboxConsentDocument } from '@postroom/mail-store/documents/mailbox';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type ConsentStore = ReturnType<typeof createConsentStore>;

/** A consent as its session names it. */
interface Named {
  id: string;
  sessionId: string;
}

/** The tokens of the provider, sealed, and the address of their account. */
interface Given {
  email: string;
  credentials: EnvelopePart;
  expiresAt: Date;
}

/** A consent with its tokens. */
export interface GivenConsent extends MailboxConsentDocument {
  email: string;
  credentials: EnvelopePart;
}

const given = (workspaceId: string, id: string, now: Date) => ({
  _id: id,
  workspaceId,
  credentials: { $ne: null },
  expiresAt: { $gt: now },
});

/** A consent for a new mailbox names none. */
const forMailbox = (mailboxId: string | undefined) =>
  mailboxId === undefined ? { isReconnect: false } : { isReconnect: true, mailboxId };

/** Consents that are under way. Every query names the workspace, and every one of a person the session. */
export function createConsentStore({ mailboxConsents }: Writes<'mailboxConsents'>) {
  return {
    /** A session has one consent under way, so that they stay few. */
    begin: async (workspaceId: string, consent: Omit<MailboxConsentDocument, 'workspaceId'>, budget: TimeBudget) => {
      await mailboxConsents.deleteMany({ workspaceId, sessionId: consent.sessionId }, timeLimit(budget));
      await mailboxConsents.create({ ...consent, workspaceId });
    },

    /** The consent as it was before, for the one call that takes the answer of its provider in time. */
    take: (
      workspaceId: string,
      { id, sessionId, provider }: Named & { provider: string },
      now: Date,
      budget: TimeBudget,
    ): Promise<MailboxConsentDocument | null> =>
      mailboxConsents
        .findOneAndUpdate(
          { _id: id, workspaceId, sessionId, provider, codeVerifier: { $ne: null }, expiresAt: { $gt: now } },
          { $set: { codeVerifier: null } },
          { returnDocument: 'before', ...timeLimit(budget) },
        )
        .lean(),

    /** False when the session has begun another consent meanwhile. */
    give: async (workspaceId: string, id: string, content: Given, budget: TimeBudget): Promise<boolean> => {
      const { matchedCount } = await mailboxConsents.updateOne(
        { _id: id, workspaceId },
        { $set: content },
        timeLimit(budget),
      );
      return matchedCount > 0;
    },

    findGiven: (workspaceId: string, id: string, now: Date, budget: TimeBudget): Promise<GivenConsent | null> =>
      mailboxConsents.findOne(given(workspaceId, id, now), null, timeLimit(budget)).lean<GivenConsent | null>(),

    /** Not null for the one call that connects the mailbox that the consent is for. */
    takeGiven: (
      workspaceId: string,
      { id, sessionId, mailboxId }: Named & { mailboxId: string | undefined },
      now: Date,
      budget: TimeBudget,
    ) =>
      mailboxConsents
        .findOneAndDelete({ ...given(workspaceId, id, now), sessionId, ...forMailbox(mailboxId) }, timeLimit(budget))
        .lean<GivenConsent | null>(),
  };
}
