import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { EmailChange } from '../changes/email-change.ts';
import type { Matched, Matcher } from '../ingest/ingest.ts';
import { type Arrival, toBodyDocument } from '../ingest/email-document.ts';
import { type Incoming, known, type Outcome } from '../incoming/incoming.ts';
import type { EmailAsRead } from '../changes/email-as-read.ts';
import { makeChanges } from './change-all.ts';
import { whichEmail, type EmailMatch, type LocatedArrival } from './which-email.ts';
import { isHandedOver, isSameLocation, locationKey } from '../location/location.ts';
import { fenceOf } from '../fence/fence.ts';
import { mergeMoved } from './merge-moved.ts';
import { linkOtherMessageId } from './other-message-id.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { movedTo, type ReportedState } from './changes-from-provider.ts';
import { applyReportedFlags } from './apply-reported-flags.ts';
import { isTakenOver, rewrittenDraft, bodyVersionOf } from './rewritten-draft.ts';

const MOST_ATTEMPTS = 50;

export function createMatcher(given: Omit<ReconcileDeps, 'fence'>) {
  return (mailbox: MailboxDocument, epoch?: number): Matcher => {
    const fence = fenceOf(given.stores.leases, mailbox, epoch);
    const deps = { ...given, fence };
    return {
      fence,
      known: (messages, at) => matchKnown(deps, mailbox, messages, at),
      match: (arrivals, at) => matchLocated(deps, mailbox, arrivals, at),
      merge: async (copied) => {
        if (copied.length > 0) await mergeMoved(deps, mailbox, copied);
      },
    };
  };
}

async function matchKnown(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  messages: readonly Incoming[],
  at: Date,
): Promise<Outcome[]> {
  const located = messages.flatMap((incoming) =>
    incoming.location ? [{ incoming, key: locationKey(incoming.location) }] : [],
  );
  const emails = await deps.stores.locations.byKeys(
    mailbox.workspaceId,
    mailbox._id,
    located.map(({ key }) => key),
  );
  const unsaved = await withoutBody(deps, mailbox, emails);
  const here = emails.filter((email) => !isHandedOver(email) && !unsaved.has(email._id));
  const ids = new Map(here.map(({ messageKey, _id }) => [messageKey, _id]));
  const there = located.filter(({ key }) => ids.has(key));
  await applyReportedFlags(deps, mailbox, new Map(there.map(({ key, incoming }) => [key, reportOf(incoming)])), at);
  return there.map(({ key, incoming }) => known(incoming.sourceKey, ids.get(key) ?? ''));
}

/** Drafts that a process has left with the body of a former version: it ended between the two writes of `saveBody`. */
async function withoutBody({ stores }: ReconcileDeps, { workspaceId }: MailboxDocument, emails: EmailAsRead[]) {
  const saved = emails.filter(({ isDraft, bodyVersion, messageKey }) => isDraft && bodyVersion === messageKey);
  const ids = saved.map(({ _id }) => _id);
  const bodies = new Map((await stores.emails.bodyVersions(workspaceId, ids)).map((body) => [body._id, body]));
  return new Set(
    saved.filter(({ _id, bodyVersion }) => bodies.get(_id)?.version !== bodyVersion).map(({ _id }) => _id),
  );
}

/** Decides for each message with an IMAP location whether it is a stored email, and updates that email's location. */
async function matchLocated(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  arrivals: readonly Arrival[],
  at: Date,
): Promise<Matched> {
  const matched: Matched = { outcomes: [], fresh: arrivals.filter(({ incoming }) => !incoming.location), copied: [] };
  const reports = new Map<string, ReportedState>();
  let open = arrivals.filter((arrival): arrival is LocatedArrival => arrival.incoming.location !== undefined);
  for (let attempt = 0; open.length > 0; attempt += 1) {
    if (attempt === MOST_ATTEMPTS) throw new Error('emails were moved by others all the time');
    const now = deps.context.clock.date();
    const matches = matchAll(open, await findCandidates(deps, mailbox, open), now);
    const tried = await carryOut(deps, mailbox, matches);
    for (const { arrival, match } of tried.done) {
      if (match.kind === 'new' || match.kind === 'copy') recordFresh(matched, arrival, match, now);
      else recordKnown(matched, reports, arrival, match);
    }
    open = tried.lost;
  }
  await applyReportedFlags(deps, mailbox, reports, at);
  return matched;
}

interface Match {
  arrival: LocatedArrival;
  match: EmailMatch;
}

/** Every stored email that may be one of these messages. */
function findCandidates({ stores }: ReconcileDeps, mailbox: MailboxDocument, open: readonly LocatedArrival[]) {
  const { workspaceId, _id: mailboxId } = mailbox;
  const own = open.filter(
    ({ incoming, mail }) => mail.hasOwnMessageId && ['SENT', 'DRAFTS'].includes(incoming.folderType),
  );
  return stores.locations.candidates(workspaceId, mailboxId, {
    messageKeys: open.map(({ messageKey }) => messageKey),
    identities: [...new Set(open.flatMap(({ identities }) => identities))],
    messageIds: [...new Set(own.map(({ mail }) => mail.messageId))],
    operations: [...new Set(own.flatMap(({ mail }) => mail.operation ?? []))],
  });
}

/** Each stored email matches at most one message. Of several copies in one batch, the first is announced. */
function matchAll(open: readonly LocatedArrival[], emails: readonly EmailAsRead[], now: Date): Match[] {
  const taken = new Set<string>();
  const names = byName(emails);
  return open.map((arrival) => {
    const like = namesOf(arrival).flatMap((name) => names.get(name) ?? []);
    const match = whichEmail(arrival, { emails: [...new Set(like)], taken, now });
    if (match.kind === 'moved' || match.kind === 'rewritten') taken.add(match.email._id);
    return { arrival, match };
  });
}

const namesOf = ({ messageKey, identities, mail }: LocatedArrival) => [
  messageKey,
  ...identities,
  mail.messageId,
  ...(mail.operation === null ? [] : [mail.operation]),
];

function byName(emails: readonly EmailAsRead[]): Map<string, EmailAsRead[]> {
  const names = new Map<string, EmailAsRead[]>();
  for (const email of emails) {
    for (const name of new Set([email.messageKey, email.identity, email.messageId, email.operation ?? '']))
      names.set(name, [...(names.get(name) ?? []), email]);
  }
  return names;
}

async function carryOut(deps: ReconcileDeps, mailbox: MailboxDocument, matches: readonly Match[]) {
  const tries: { one: Match; change: EmailChange | null }[] = [];
  for (const one of matches) tries.push({ one, change: await changeFor(deps, mailbox, one) });
  const changes = tries.flatMap(({ change }) => change ?? []);
  const changed = await makeChanges(deps, mailbox, changes);
  const isDone = ({ change }: (typeof tries)[number]) => change === null || changed.has(change.emailId);
  for (const tried of tries) if (isDone(tried)) await saveBody(deps, mailbox, tried.one);
  const appended = tries
    .filter((tried) => tried.change && isDone(tried))
    .flatMap(({ one: { match } }) => ('email' in match ? (match.email.providerChanges.append?.id ?? []) : []));
  if (appended.length > 0) await deps.stores.pendingCopies.remove(mailbox.workspaceId, appended);
  return {
    done: tries.filter(isDone).map(({ one }) => one),
    lost: tries.filter((tried) => !isDone(tried)).map(({ one }) => one.arrival),
  };
}

async function changeFor(deps: ReconcileDeps, mailbox: MailboxDocument, { arrival, match }: Match) {
  const { workspaceId } = mailbox;
  const { location, folderId, folderType } = arrival.incoming;
  switch (match.kind) {
    case 'moved': {
      await linkOtherMessageId(deps, mailbox, match.email, arrival);
      const shown = { id: folderId ?? location.folderId, type: folderType };
      const to = { location, shown, identity: arrival.identities[0] };
      const moved = movedTo(match.email, to, arrival.incoming, deps.context.clock.date());
      return deps.changeOf(workspaceId, match.email, moved);
    }
    case 'rewritten':
      if (folderType === 'SENT') await replaceBody(deps, mailbox, { email: match.email, arrival });
      return rewrittenDraft(deps.changeOf, mailbox, { email: match.email, arrival }, deps.context);
    case 'superfluous':
      await linkOtherMessageId(deps, mailbox, match.email, arrival);
      return isSameLocation(match.email.providerChanges.remove?.to, location)
        ? null
        : deps.changeOf(workspaceId, match.email, { pending: { remove: location } });
    default:
      return null;
  }
}

interface Rewritten {
  email: EmailAsRead;
  arrival: LocatedArrival;
}

const bodyFor = ({ context }: ReconcileDeps, mailbox: MailboxDocument, { email, arrival }: Rewritten) => ({
  ...toBodyDocument(mailbox, arrival, context.clock.date()),
  _id: email._id,
  version: bodyVersionOf(arrival),
});

/**
 * The body of a draft that somebody else has sent. It is written before the email: a repeat after a crash finds the email at
 * its old location, and continues.
 */
async function replaceBody(deps: ReconcileDeps, mailbox: MailboxDocument, one: Rewritten): Promise<void> {
  await deps.fence();
  const { workspaceId } = mailbox;
  const { outgoing, emails } = deps.stores;
  // A draft that is sent meanwhile keeps its body. The change of the email then fails, and the message is matched again.
  const isFree =
    !isTakenOver(one.email, one.arrival) || (await outgoing.takeOver(workspaceId, one.email._id, QUERY_BUDGET));
  if (isFree) await emails.replaceBody(workspaceId, bodyFor(deps, mailbox, one));
}

/**
 * The body of a draft that a mail program has saved. It is written behind the email, which the beginning of a send may
 * refuse to change. A reader between the two, or behind a crash, takes the body from the provider; see `isBodyOf`.
 */
async function saveBody(deps: ReconcileDeps, mailbox: MailboxDocument, { arrival, match }: Match): Promise<void> {
  if (arrival.incoming.folderType !== 'DRAFTS' || (match.kind !== 'rewritten' && match.kind !== 'known')) return;
  const { workspaceId } = mailbox;
  const { _id: emailId, bodyVersion } = match.email;
  const { emails } = deps.stores;
  const body = bodyFor(deps, mailbox, { email: match.email, arrival });
  if (match.kind === 'rewritten' && (await emails.saveBody(workspaceId, body, bodyVersion))) return;
  // The save before this one was not finished, or a later one has come since.
  if ((await emails.bodyVersionOf(workspaceId, emailId)) === body.version) await emails.replaceBody(workspaceId, body);
}

type Fresh = Extract<EmailMatch, { kind: 'new' | 'copy' }>;

/** Of copies in one batch, the first is the original. */
function recordFresh({ fresh, copied }: Matched, arrival: LocatedArrival, match: Fresh, now: Date) {
  if (match.kind === 'copy') copied.push(match.of.identity);
  const before = fresh.filter((other) => isSameMessage(other, arrival)).length;
  if (match.kind === 'new' && before === 0) return void fresh.push(arrival);
  const storedAt = match.kind === 'copy' ? match.of.receivedAt : now;
  const incoming = { ...arrival.incoming, isHistory: true };
  fresh.push({ ...arrival, incoming, copyOf: { storedAt, number: before + 1 } });
}

function recordKnown(
  { outcomes }: Matched,
  reports: Map<string, ReportedState>,
  { incoming, messageKey }: LocatedArrival,
  match: Exclude<EmailMatch, Fresh>,
) {
  outcomes.push(known(incoming.sourceKey, match.email._id));
  const isItsLocation = match.kind === 'moved' || isSameLocation(match.email.place, incoming.location);
  if (isItsLocation) reports.set(messageKey, reportOf(incoming));
}

function isSameMessage(one: Arrival, other: Arrival): boolean {
  return one.identities.some((identity) => other.identities.includes(identity));
}

function reportOf({ isRead, isStarred, providerLabels, folderId, folderType }: Incoming): ReportedState {
  return {
    isRead,
    isStarred,
    labels: providerLabels,
    ...(folderId !== null && { shown: { id: folderId, type: folderType } }),
  };
}
