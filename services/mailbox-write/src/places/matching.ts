import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { EmailChange } from '../changes/email-change.ts';
import type { Matched, Places } from '../ingest/ingest.ts';
import { type Arrival, toBodyDocument } from '../ingest/email-document.ts';
import { type Incoming, known, type Outcome } from '../incoming.ts';
import type { PlacedEmail } from '../changes/as-read.ts';
import { makeChanges } from './change-all.ts';
import { decide, type Decision, type Placed } from './deciding.ts';
import { isHandedOver, isSamePlace, placeKey } from '../place.ts';
import { fenceOf } from '../fence.ts';
import { mergeMoved } from './merging.ts';
import { linkOtherName } from './other-name.ts';
import type { PlaceDeps } from './place-deps.ts';
import { movedTo, type Reported } from './outcomes.ts';
import { applyReports } from './reports.ts';
import { isTakenOver, rewritten } from './rewriting.ts';

const MOST_ATTEMPTS = 50;

export function createPlaces(given: Omit<PlaceDeps, 'fence'>) {
  return (mailbox: MailboxDocument, epoch?: number): Places => {
    const fence = fenceOf(given.stores.leases, mailbox, epoch);
    const deps = { ...given, fence };
    return {
      fence,
      known: (messages, at) => matchKnown(deps, mailbox, messages, at),
      match: (arrivals, at) => matchPlaces(deps, mailbox, arrivals, at),
      merge: async (copied) => {
        if (copied.length > 0) await mergeMoved(deps, mailbox, copied);
      },
    };
  };
}

async function matchKnown(
  deps: PlaceDeps,
  mailbox: MailboxDocument,
  messages: readonly Incoming[],
  at: Date,
): Promise<Outcome[]> {
  const placed = messages.flatMap((incoming) => (incoming.place ? [{ incoming, key: placeKey(incoming.place) }] : []));
  const emails = await deps.stores.places.byKeys(
    mailbox.workspaceId,
    mailbox._id,
    placed.map(({ key }) => key),
  );
  const here = emails.filter((email) => !isHandedOver(email));
  const ids = new Map(here.map(({ messageKey, _id }) => [messageKey, _id]));
  const there = placed.filter(({ key }) => ids.has(key));
  await applyReports(deps, mailbox, new Map(there.map(({ key, incoming }) => [key, reportOf(incoming)])), at);
  return there.map(({ key, incoming }) => known(incoming.sourceKey, ids.get(key) ?? ''));
}

/** Decides for each message with an IMAP location whether it is a stored email, and updates that email's location. */
async function matchPlaces(
  deps: PlaceDeps,
  mailbox: MailboxDocument,
  arrivals: readonly Arrival[],
  at: Date,
): Promise<Matched> {
  const matched: Matched = { outcomes: [], fresh: arrivals.filter(({ incoming }) => !incoming.place), copied: [] };
  const reports = new Map<string, Reported>();
  let open = arrivals.filter((arrival): arrival is Placed => arrival.incoming.place !== undefined);
  for (let attempt = 0; open.length > 0; attempt += 1) {
    if (attempt === MOST_ATTEMPTS) throw new Error('emails were moved by others all the time');
    const decided = decideAll(open, await emailsLike(deps, mailbox, open), deps.context.clock.date());
    const tried = await carryOut(deps, mailbox, decided);
    for (const { arrival, decision } of tried.done) settleOne(matched, reports, arrival, decision);
    open = tried.lost;
  }
  await applyReports(deps, mailbox, reports, at);
  return matched;
}

interface Decided {
  arrival: Placed;
  decision: Decision;
}

/** Every stored email that may be one of these messages. */
async function emailsLike({ stores }: PlaceDeps, mailbox: MailboxDocument, open: readonly Placed[]) {
  const { workspaceId, _id: mailboxId } = mailbox;
  const own = open.filter(
    ({ incoming, mail }) => mail.hasOwnMessageId && ['SENT', 'DRAFTS'].includes(incoming.folderType),
  );
  const found = await Promise.all([
    stores.places.byKeys(
      workspaceId,
      mailboxId,
      open.map(({ messageKey }) => messageKey),
    ),
    stores.places.byIdentity(workspaceId, mailboxId, [...new Set(open.flatMap(({ identities }) => identities))]),
    stores.places.ownWork(workspaceId, mailboxId, [...new Set(own.map(({ mail }) => mail.messageId))]),
    stores.places.sentBy(workspaceId, mailboxId, [...new Set(own.flatMap(({ mail }) => mail.operation ?? []))]),
  ]);
  return [...new Map(found.flat().map((email) => [email._id, email])).values()];
}

/** Each stored email matches at most one message. Of several copies in one batch, the first is announced. */
function decideAll(open: readonly Placed[], emails: readonly PlacedEmail[], now: Date): Decided[] {
  const taken = new Set<string>();
  const names = byName(emails);
  return open.map((arrival) => {
    const like = namesOf(arrival).flatMap((name) => names.get(name) ?? []);
    const decision = decide(arrival, { emails: [...new Set(like)], taken, now });
    if (decision.kind === 'moved' || decision.kind === 'rewritten') taken.add(decision.email._id);
    return { arrival, decision };
  });
}

const namesOf = ({ messageKey, identities, mail }: Placed) => [
  messageKey,
  ...identities,
  mail.messageId,
  ...(mail.operation === null ? [] : [mail.operation]),
];

function byName(emails: readonly PlacedEmail[]): Map<string, PlacedEmail[]> {
  const names = new Map<string, PlacedEmail[]>();
  for (const email of emails) {
    for (const name of new Set([email.messageKey, email.identity, email.messageId, email.operation ?? '']))
      names.set(name, [...(names.get(name) ?? []), email]);
  }
  return names;
}

async function carryOut(deps: PlaceDeps, mailbox: MailboxDocument, decided: readonly Decided[]) {
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

async function changeFor(deps: PlaceDeps, mailbox: MailboxDocument, { arrival, decision }: Decided) {
  const { workspaceId } = mailbox;
  const { place, folderId, folderType } = arrival.incoming;
  switch (decision.kind) {
    case 'moved': {
      await linkOtherName(deps, mailbox, decision.email, arrival);
      const shown = { id: folderId ?? place.folderId, type: folderType };
      const to = { place, shown, identity: arrival.identities[0] };
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
      return isSamePlace(decision.email.providerChanges.remove?.to, place)
        ? null
        : deps.changeOf(workspaceId, decision.email, { pending: { remove: place } });
    default:
      return null;
  }
}

function settleOne(
  { outcomes, fresh, copied }: Matched,
  reports: Map<string, Reported>,
  arrival: Placed,
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
  const isItsPlace = decision.kind === 'moved' || isSamePlace(decision.email.place, incoming.place);
  if (isItsPlace) reports.set(messageKey, reportOf(incoming));
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
