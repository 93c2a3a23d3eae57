import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { owingOf } from '@postroom/mail-store/outbox-store';
import { settleWaiting } from '../threads/waiting.ts';
import { type Arrival, toBodyDocument, toEmailDocument } from './email-document.ts';
import type { Keys } from './email-store.ts';
import { known, type Outcome, stored } from './incoming.ts';
import type { IngestDeps } from './ingest.ts';

/** Mails of one moment are told of in the order in which they were sent. */
export const TIE_BY = 'date';

type Deps = Pick<IngestDeps, 'emails' | 'waiting' | 'threads' | 'relay' | 'context'>;

/** Writes a batch of one mailbox: bodies, then emails with what they owe; duplicates found on the way are known. */
export function createStoring(deps: Deps) {
  const { emails, relay, context } = deps;

  return async (mailbox: MailboxDocument, arrivals: readonly Arrival[]): Promise<Outcome[]> => {
    const outcomes = new Map<string, Outcome>();
    const fresh = await withoutKnown(deps, mailbox, arrivals, outcomes);
    if (fresh.length === 0) return [...outcomes.values()];

    const threadIds = await placeInThreads(deps, mailbox, fresh);
    await emails.insertBodies(fresh.map((arrival) => toBodyDocument(mailbox, arrival, context.clock.date())));
    const documents = fresh.map((arrival, position) =>
      toEmailDocument(mailbox, arrival, threadIds[position] as string, context),
    );
    const kept = new Set(await emails.insertEmails(documents));
    const written = documents.filter((document) => !kept.has(document));
    for (const { sourceKey, _id } of written) outcomes.set(sourceKey, stored(sourceKey, _id));
    relay.publishSoon(written.map((document) => owingOf(document, TIE_BY)));

    await answerLosers(deps, mailbox, [...kept], outcomes);
    await settle(deps, mailbox, fresh, written);
    return arrivals.map(({ incoming }) => outcomes.get(incoming.sourceKey) as Outcome);
  };
}

/** Emails that their folder holds already by Message-ID and content, or that came twice in this batch, are not stored again. */
async function withoutKnown(
  { emails }: Deps,
  mailbox: MailboxDocument,
  arrivals: readonly Arrival[],
  outcomes: Map<string, Outcome>,
) {
  const keys = [...new Set(arrivals.flatMap(({ messageKey, formerMessageKey }) => [messageKey, formerMessageKey]))];
  if (keys.length === 0) return [];
  const there = await emails.findByMessage(mailbox.workspaceId, mailbox._id, keys);
  const emailIds = new Map(there.map(({ messageKey, _id }) => [messageKey, _id]));
  return arrivals.filter((arrival) => {
    const { incoming, messageKey, emailId } = arrival;
    const first = emailIds.get(messageKey) ?? there.find((email) => isFormer(email, arrival))?._id;
    if (first === undefined) emailIds.set(messageKey, emailId);
    else outcomes.set(incoming.sourceKey, known(incoming.sourceKey, first));
    return first === undefined;
  });
}

/** Of an email from before content counted only this is known: who wrote it, and how it begins. */
function isFormer(email: Keys, { formerMessageKey, mail }: Arrival): boolean {
  if (email.messageKey !== formerMessageKey || email.subject !== mail.subject) return false;
  return email.snippet === mail.snippet && email.senderAddress === mail.from.email.toLowerCase();
}

async function placeInThreads(
  { threads }: Deps,
  mailbox: MailboxDocument,
  fresh: readonly Arrival[],
): Promise<string[]> {
  const ours = fresh.filter(({ incoming }) => incoming.providerThreadId === null);
  const assigned = await threads.assign(
    mailbox.workspaceId,
    mailbox._id,
    ours.map(({ mail }) => ({ ids: threadIdsOf(mail) })),
  );
  const byArrival = new Map(ours.map((arrival, position) => [arrival, assigned[position] as string]));
  return fresh.map((arrival) => arrival.incoming.providerThreadId ?? (byArrival.get(arrival) as string));
}

function threadIdsOf({ messageId, inReplyTo, references }: Arrival['mail']): string[] {
  return [...new Set([messageId, inReplyTo ?? '', ...references])].filter((id) => id !== '');
}

/** Somebody stored the same message between our look and our write: theirs counts, and ours leaves nothing behind. */
async function answerLosers(
  { emails }: Deps,
  mailbox: MailboxDocument,
  losers: readonly EmailDocument[],
  outcomes: Map<string, Outcome>,
) {
  if (losers.length === 0) return;
  const { workspaceId, _id: mailboxId } = mailbox;
  const [bySource, byMessage] = await Promise.all([
    emails.findBySource(
      workspaceId,
      mailboxId,
      losers.map(({ sourceKey }) => sourceKey),
    ),
    emails.findByMessage(
      workspaceId,
      mailboxId,
      losers.map(({ messageKey }) => messageKey),
    ),
  ]);
  const orphans: string[] = [];
  for (const loser of losers) {
    const same = bySource.find(({ sourceKey }) => sourceKey === loser.sourceKey);
    const winner = same ?? byMessage.find(({ messageKey }) => messageKey === loser.messageKey);
    if (!winner) throw new Error('an email was refused as a duplicate of one that is not there');
    outcomes.set(loser.sourceKey, known(loser.sourceKey, winner._id));
    // The same source has the same id, and then the body is the winner's own.
    if (winner._id !== loser._id) orphans.push(loser._id);
  }
  if (orphans.length > 0) await emails.deleteBodies(workspaceId, orphans);
}

async function settle(
  { threads, waiting }: Deps,
  mailbox: MailboxDocument,
  fresh: readonly Arrival[],
  written: readonly EmailDocument[],
) {
  const { workspaceId, _id: mailboxId } = mailbox;
  const byId = new Map(written.map((document) => [document._id, document]));
  const placed = fresh
    .filter(({ emailId, incoming }) => byId.has(emailId) && incoming.providerThreadId === null)
    .map(({ emailId, mail }) => ({ emailId, threadId: byId.get(emailId)?.threadId ?? '', ids: threadIdsOf(mail) }));
  await threads.settle(workspaceId, mailboxId, placed);

  const automatic = new Set(fresh.filter(({ mail }) => mail.isAutomatic).map(({ emailId }) => emailId));
  await settleWaiting(waiting, mailbox, { written, automatic });
}
