import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { EmailChange } from '../changes/email-change.ts';
import type { Matched, Matcher } from '../ingest/ingest.ts';
import { type Arrival, toBodyDocument } from '../ingest/email-document.ts';
import { type Incoming, known, type Outcome } from '../incoming/incoming.ts';
import type { EmailAsRead } from '../changes/as-read.ts';
import { makeChanges } from './change-all.ts';
import { decide, type Decision, type LocatedArrival } from './deciding.ts';
import { isHandedOver, isSameLocation, locationKey } from '../location/location.ts';
import { fenceOf } from '../fence/fence.ts';
import { mergeMoved } from './merging.ts';
import { linkOtherName } from './other-name.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { movedTo, type Reported } from './outcomes.ts';
import { applyReports } from './reports.ts';
import { isTakenOver, rewritten } from './rewriting.ts';

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
  const here = emails.filter((email) => !isHandedOver(email));
  const ids = new Map(here.map(({ messageKey, _id }) => [messageKey, _id]));
  const there = located.filter(({ key }) => ids.has(key));
  await applyReports(deps, mailbox, new Map(there.map(({ key, incoming }) => [key, reportOf(incoming)])), at);
  return there.map(({ key, incoming }) => known(incoming.sourceKey, ids.get(key) ?? ''));
}

/** Decides for each message with an IMAP location whether it is a stored email, and updates that email's location. */
async function matchLocated(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  arrivals: readonly Arrival[],
  at: Date,
): Promise<Matched> {
  const matched: Matched = { outcomes: [], fresh: arrivals.filter(({ incoming }) => !incoming.location), copied: [] };
  const reports = new Map<string, Reported>();
  let open = arrivals.filter((arrival): arrival is LocatedArrival => arrival.incoming.location !== undefined);
  for (let attempt = 0; open.length > 0; attempt += 1) {
    if (attempt === MOST_ATTEMPTS) throw new Error('emails were moved by others all the time');
    const decided = decideAll(open, await emailsLike(deps, mailbox, open), deps.context.clock.date());
    const tried = await carryOut(deps, mailbox, decided);
    for (const { arrival, decision } of tried.done) recordDecision(matched, reports, arrival, decision);
    open = tried.lost;
  }
  await applyReports(deps, mailbox, reports, at);
  return matched;
}

interface Decided {
  arrival: LocatedArrival;
  decision: Decision;
}

/** Every stored email that may be one of these messages. */
async function emailsLike({ stores }: ReconcileDeps, mailbox: MailboxDocument, open: readonly LocatedArrival[]) {
  const { workspaceId, _id: mailboxId } = mailbox;
  const own = open.filter(
    ({ incoming, mail }) => mail.hasOwnMessageId && ['SENT', 'DRAFTS'].includes(incoming.folderType),
  );
  const found = await Promise.all([
    stores.locations.byKeys(
      workspaceId,
      mailboxId,
      open.map(({ messageKey }) => messageKey),
    ),
    stores.locations.byIdentity(workspaceId, mailboxId, [...new Set(open.flatMap(({ identities }) => identities))]),
    stores.locations.ownWork(workspaceId, mailboxId, [...new Set(own.map(({ mail }) => mail.messageId))]),
    stores.locations.sentBy(workspaceId, mailboxId, [...new Set(own.flatMap(({ mail }) => mail.operation ?? []))]),
  ]);
  return [...new Map(found.flat().map((email) => [email._id, email])).values()];
}

/** Each stored email matches at most one message. Of several copies in one batch, the first is announced. */
function decideAll(open: readonly LocatedArrival[], emails: readonly EmailAsRead[], now: Date): Decided[] {
  const taken = new Set<string>();
  const names = byName(emails);
  return open.map((arrival) => {
    const like = namesOf(arrival).flatMap((name) => names.get(name) ?? []);
    const decision = decide(arrival, { emails: [...new Set(like)], taken, now });
    if (decision.kind === 'moved' || decision.kind === 'rewritten') taken.add(decision.email._id);
    return { arrival, decision };
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

async function carryOut(deps: ReconcileDeps, mailbox: MailboxDocument, decided: readonly Decided[]) {
  const tries: { one: Decided; change: EmailChange | null }[] = [];
  for (const one of decided) tries.push({ one, change: await changeFor(deps, mailbox, one) });
  const changes = tries.flatMap(({ change }) => change ?? []);
  const changed = await makeChanges(deps, mailbox, changes);
  const isDone = ({ change }: (typeof tries)[number]) => change === null || changed.has(change.emailId);
  const appended = tries
    .filter((tried) => tried.change && isDone(tried))
    .flatMap(({ one: { decision } }) => ('email' in decision ? (decision.email.providerChanges.append?.id ?? []) : []));
  if (appended.length > 0) await deps.stores.pendingCopies.remove(mailbox.workspaceId, appended);
  return {
    done: tries.filter(isDone).map(({ one }) => one),
    lost: tries.filter((tried) => !isDone(tried)).map(({ one }) => one.arrival),
  };
}

async function changeFor(deps: ReconcileDeps, mailbox: MailboxDocument, { arrival, decision }: Decided) {
  const { workspaceId } = mailbox;
  const { location, folderId, folderType } = arrival.incoming;
  switch (decision.kind) {
    case 'moved': {
      await linkOtherName(deps, mailbox, decision.email, arrival);
      const shown = { id: folderId ?? location.folderId, type: folderType };
      const to = { location, shown, identity: arrival.identities[0] };
      const moved = movedTo(decision.email, to, arrival.incoming, deps.context.clock.date());
      return deps.changeOf(workspaceId, decision.email, moved);
    }
    case 'rewritten': {
      await deps.fence();
      const { email } = decision;
      const { outgoing, emails } = deps.stores;
      // A draft that is sent meanwhile keeps its body. The change below then fails, and the message is matched again.
      const isFree = !isTakenOver(email, arrival) || (await outgoing.takeOver(workspaceId, email._id, QUERY_BUDGET));
      const body = { ...toBodyDocument(mailbox, arrival, deps.context.clock.date()), _id: email._id };
      // The body is written first: a repeat after a crash finds the email at its old location, and continues.
      if (isFree) await emails.replaceBody(workspaceId, body);
      return rewritten(deps.changeOf, mailbox, { email, arrival }, deps.context);
    }
    case 'superfluous':
      await linkOtherName(deps, mailbox, decision.email, arrival);
      return isSameLocation(decision.email.providerChanges.remove?.to, location)
        ? null
        : deps.changeOf(workspaceId, decision.email, { pending: { remove: location } });
    default:
      return null;
  }
}

function recordDecision(
  { outcomes, fresh, copied }: Matched,
  reports: Map<string, Reported>,
  arrival: LocatedArrival,
  decision: Decision,
) {
  const { incoming, messageKey } = arrival;
  if (decision.kind === 'new' || decision.kind === 'copy') {
    if (decision.kind === 'copy') copied.push(decision.of.identity);
    const isTold = decision.kind === 'new' && !fresh.some((other) => isSameMessage(other, arrival));
    fresh.push(isTold ? arrival : { ...arrival, incoming: { ...incoming, isHistory: true } });
    return;
  }
  outcomes.push(known(incoming.sourceKey, decision.email._id));
  const isItsLocation = decision.kind === 'moved' || isSameLocation(decision.email.place, incoming.location);
  if (isItsLocation) reports.set(messageKey, reportOf(incoming));
}

function isSameMessage(one: Arrival, other: Arrival): boolean {
  return one.identities.some((identity) => other.identities.includes(identity));
}

function reportOf({ isRead, isStarred, providerLabels, folderId, folderType }: Incoming): Reported {
  return {
    isRead,
    isStarred,
    labels: providerLabels,
    ...(folderId !== null && { shown: { id: folderId, type: folderType } }),
  };
}
