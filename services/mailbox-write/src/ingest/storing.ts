import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { isOutgoingKey } from '@postroom/mail-store/outgoing-key';
import { toOutboxEntry } from '@postroom/mail-store/outbox-store';
import type { ServiceContext } from '@postroom/runtime/service';
import { type Incoming, known, type Outcome, stored } from '../incoming/incoming.ts';
import type { Relay } from '@postroom/events/outbox/relay';
import type { ThreadNode } from '../threads/thread-node.ts';
import { type Arrival, nodeOf, toBodyDocument, toEmailDocument } from './email-document.ts';
import type { EmailStore, Keys, SentKeys } from './email-store.ts';
import { type Fence, unfenced } from '../fence/fence.ts';
import { keepOriginals, type OriginalsDeps } from './keep-originals.ts';
import { finish, finalizeStored, type FinalizingDeps } from './finalizing.ts';

export interface StoringDeps extends FinalizingDeps, OriginalsDeps {
  emails: EmailStore;
  relay: Pick<Relay, 'publishSoon'>;
  context: Pick<ServiceContext, 'clock' | 'ids'>;
}

/** A message that is taken apart and yet cannot be stored, or could not be taken apart. */
export interface Refusal {
  incoming: Incoming;
  cause: string;
}

export interface Storing {
  outcomes: Iterable<Outcome>;
  refusals: Refusal[];
  /** The emails that are stored now, where they are known to be as they were written. */
  written?: readonly EmailDocument[];
}

const TOO_LARGE = 'what the message holds is more than the database takes';

/** Writes a batch of one mailbox: bodies, then emails with their pending events. Duplicates are reported as known. */
export function createStoring(deps: StoringDeps) {
  const { emails, relay, context } = deps;

  return async (mailbox: MailboxDocument, arrivals: readonly Arrival[], fence: Fence = unfenced): Promise<Storing> => {
    const outcomes = new Map<string, Outcome>();
    const fresh = await withoutKnown(deps, mailbox, arrivals, outcomes);
    if (fresh.length === 0) return { outcomes: outcomes.values(), refusals: [] };

    await fence();
    const [nodes, bodiless] = await Promise.all([
      assignThreads(deps, mailbox, fresh),
      emails.insertBodies(fresh.map((arrival) => toBodyDocument(mailbox, arrival, context.clock.date()))),
    ]);
    const threadOf = ({ emailId, incoming }: Arrival) =>
      incoming.providerThreadId ?? nodes.get(emailId)?.threadId ?? '';
    const lost = new Set(bodiless.map(({ _id }) => _id));
    const documents = fresh
      .map((arrival, position) => toEmailDocument(mailbox, arrival, threadOf(arrival), { ...context, position }))
      .filter(({ _id }) => !lost.has(_id));
    await keepOriginals(deps, mailbox, fresh);
    await fence();
    const { duplicates, refused } = await emails.insertEmails(documents);
    const kept = new Set([...duplicates, ...refused]);
    const written = documents.filter((document) => !kept.has(document));
    const keys = new Map(fresh.map(({ emailId, incoming }) => [emailId, incoming.sourceKey]));
    const keyOf = ({ _id }: EmailDocument) => keys.get(_id) ?? '';
    for (const document of written) outcomes.set(keyOf(document), stored(keyOf(document), document._id));
    relay.publishSoon(written.map(toOutboxEntry));

    const refusedIds = refused.map(({ _id }) => _id);
    if (refusedIds.length > 0) await emails.deleteBodies(mailbox.workspaceId, refusedIds);
    await answerLosers(deps, mailbox, duplicates, (loser, winnerId) =>
      outcomes.set(keyOf(loser), known(keyOf(loser), winnerId)),
    );
    const isAsWritten = await finalizeStored(deps, mailbox, written, nodes);
    const refusals = refusalsOf(arrivals, new Set([...lost, ...refusedIds]), outcomes);
    return { outcomes: outcomes.values(), refusals, ...(isAsWritten && { written }) };
  };
}

/** With those that were taken for copies of a message which then could not be stored. */
function refusalsOf(
  arrivals: readonly Arrival[],
  refused: ReadonlySet<string>,
  outcomes: ReadonlyMap<string, Outcome>,
): Refusal[] {
  return arrivals
    .filter(({ emailId, incoming }) => refused.has(outcomes.get(incoming.sourceKey)?.emailId ?? emailId))
    .map(({ incoming }) => ({ incoming, cause: TOO_LARGE }));
}

/** An email that its folder has already by Message-ID and content, or that is twice in this batch, is not stored again. */
async function withoutKnown(
  { emails }: StoringDeps,
  mailbox: MailboxDocument,
  arrivals: readonly Arrival[],
  outcomes: Map<string, Outcome>,
) {
  const named = arrivals.filter(mayBeKnown);
  if (named.length === 0) return arrivals;
  const keys = [...new Set(named.flatMap(({ messageKey, formerMessageKey }) => [messageKey, formerMessageKey]))];
  const there = await sameOrSent(emails, mailbox, named, keys);
  const wanted = new Set(keys);
  const emailIds = new Map(
    there.filter(({ messageKey }) => wanted.has(messageKey)).map(({ messageKey, _id }) => [messageKey, _id]),
  );
  return arrivals.filter((arrival) => {
    const { incoming, messageKey, emailId } = arrival;
    if (!mayBeKnown(arrival)) return true;
    const same = there.find((email) => isFormer(email, arrival)) ?? there.find((email) => isSameSent(email, arrival));
    const first = emailIds.get(messageKey) ?? same?._id;
    if (first === undefined) emailIds.set(messageKey, emailId);
    else outcomes.set(incoming.sourceKey, known(incoming.sourceKey, first));
    return first === undefined;
  });
}

/**
 * Messages with an IMAP location were compared with all emails before. A draft that is made here is one of its operation
 * alone, and the insert finds what a repeat has stored.
 */
function mayBeKnown({ incoming: { location, outgoing, folderType } }: Arrival): boolean {
  return !location && !(outgoing && folderType === 'DRAFTS');
}

/** With the sent mail of the ids that these arrivals have; of a folder full of them all are asked for at once. */
async function sameOrSent(
  { findByMessage, findSame }: EmailStore,
  { workspaceId, _id: mailboxId }: MailboxDocument,
  arrivals: readonly Arrival[],
  keys: readonly string[],
): Promise<(Keys & Partial<SentKeys>)[]> {
  const sent = arrivals.filter(({ incoming, mail }) => incoming.folderType === 'SENT' && mail.hasOwnMessageId);
  if (sent.length === 0) return findByMessage(workspaceId, mailboxId, keys);
  return findSame(
    workspaceId,
    mailboxId,
    keys,
    sent.map(({ mail }) => mail),
  );
}

/** A sent message and the provider's copy are one email, although the copy lacks Bcc and has trace headers. */
function isSameSent(email: Keys & Partial<SentKeys>, { incoming, mail }: Arrival): boolean {
  if (email.folderType !== 'SENT') return false;
  const isNamed = email.messageId === mail.messageId || (mail.operation !== null && email.operation === mail.operation);
  if (incoming.folderType !== 'SENT' || !isNamed) return false;
  return incoming.outgoing !== undefined || isOutgoingKey(email.sourceKey);
}

/** Of an email from before content counted only this is known: who wrote it, and how it begins. */
function isFormer(email: Keys, { formerMessageKey, mail }: Arrival): boolean {
  if (email.messageKey !== formerMessageKey || email.subject !== mail.subject) return false;
  return email.snippet === mail.snippet && email.senderAddress === mail.from.email.toLowerCase();
}

/** By email; the provider's own threads are left to it. */
async function assignThreads(
  { threads }: StoringDeps,
  { workspaceId, _id: mailboxId }: MailboxDocument,
  fresh: readonly Arrival[],
): Promise<Map<string, ThreadNode>> {
  const ours = fresh.filter(({ incoming }) => incoming.providerThreadId === null);
  const [first] = ours;
  const told = ours.length === 1 && first && inToldThread(first);
  if (told) return new Map([[first.emailId, told]]);
  // History comes the newest first, so that the answers to a message are stored before it.
  const isNew = ours.every(({ incoming }) => !incoming.isHistory);
  const assigned = await threads.assign(workspaceId, mailboxId, ours.map(nodeOf), isNew);
  return new Map(ours.map(({ emailId }, position) => [emailId, assigned[position] as ThreadNode]));
}

/** Of a message that was made here, its caller may know the email that it answers. */
function inToldThread(arrival: Arrival): ThreadNode | undefined {
  const { messageId, threadId } = arrival.incoming.outgoing?.answered ?? {};
  const node = nodeOf(arrival);
  if (messageId === undefined || !threadId || node.answers?.[0] !== messageId) return undefined;
  return { ...node, answers: [messageId], threadId };
}

/** Another process stored the same message between our read and our write. Its email counts, and ours leaves nothing. */
async function answerLosers(
  deps: StoringDeps,
  mailbox: MailboxDocument,
  losers: readonly EmailDocument[],
  answer: (loser: EmailDocument, winnerId: string) => void,
) {
  if (losers.length === 0) return;
  const { emails } = deps;
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
  const winners = new Set<string>();
  for (const loser of losers) {
    const same = bySource.find(({ sourceKey }) => sourceKey === loser.sourceKey);
    const winner = same ?? byMessage.find(({ messageKey }) => messageKey === loser.messageKey);
    if (!winner) throw new Error('an email was refused as a duplicate of one that is not there');
    answer(loser, winner._id);
    winners.add(winner._id);
    // The same source has the same id, and then the body is the winner's own.
    if (winner._id !== loser._id) orphans.push(loser._id);
  }
  if (orphans.length > 0) await emails.deleteBodies(workspaceId, orphans);
  // Perhaps it was ourselves, in an attempt that was applied and answered with an error.
  await finish(deps, mailbox, [...winners], { isRepeat: true });
}
