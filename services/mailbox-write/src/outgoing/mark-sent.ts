import type { EmailDocument, LocationPart } from '@postroom/mail-store/documents/email';
import { firstOutbox } from '@postroom/mail-store/outbox';
import { toOutboxEntry } from '@postroom/mail-store/outbox-store';
import { writtenToOf } from '@postroom/mail-store/written-to';
import type { Call } from '@postroom/rpc/call';
import type { Relay } from '@postroom/events/outbox/relay';
import type { ServiceContext } from '@postroom/runtime/service';
import { createMakers } from '../changes/email-change.ts';
import { folderOf, pendingEvents, wantsReply } from '../ingest/email-document.ts';
import type { OwnMail } from './own-mail.ts';
import type { Append, PendingCopies } from './pending-copies.ts';
import { type OutgoingStore, isTakenOver, type Outgoing, type Sent } from './outgoing-store.ts';

interface Given {
  stores: { outgoing: OutgoingStore };
  relay: Pick<Relay, 'publishSoon'>;
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  copies: PendingCopies;
}

/** Turns a stored email into the sent message, and returns it. */
export function createMarkSent({ stores: { outgoing }, relay, context, copies: { forget, removalOf } }: Given) {
  /** The copy that the provider has filed is that message; what only its sender knows is added to it. */
  const adopt = async (copy: Outgoing, what: OwnMail, call: Call, draftLocation?: LocationPart): Promise<Outgoing> => {
    const { arrival } = what;
    const { isAutoForward, isAutoReply, scheduledSendAt, scheduledStatus } = shownOf(arrival);
    const { bcc } = arrival.mail;
    const set = { isAutoForward, isAutoReply, scheduledSendAt, scheduledStatus, bcc, ...writtenToIn(arrival) };
    const events = sentOf(what, copy.threadId, context);
    const sent = { ...sentBy(call, set, events), pending: removalOf(draftLocation) };
    const adopted = await outgoing.adopt(call.workspaceId, copy._id, sent, call);
    if (adopted) announce(copy._id, events);
    return adopted ?? outgoing.standing(call.workspaceId, copy._id, call);
  };
  const announce = (ownerId: string, events: Sent['events']): void => {
    if (Object.keys(events).length > 0)
      relay.publishSoon([toOutboxEntry({ _id: ownerId, ...firstOutbox(events, context.clock.date()) })]);
  };
  const sentBy = (call: Call, set: Sent['set'], events: Sent['events']): Sent => ({
    set,
    events,
    pending: {},
    operationId: call.operationId,
    at: context.clock.date(),
  });

  /** Null where the draft is a person's by now. */
  const markSent = async (draft: Outgoing, what: OwnMail & { append: Append | null }, call: Call) => {
    const set = sentParts(what);
    const events = { ...sentOf(what, draft.threadId, context), moved: movedTo(call.workspaceId, draft, set, context) };
    const sent = sentBy(call, set, events);
    const append: Sent['pending'] = what.append ? { append: what.append.pending } : {};
    const find = () => outgoing.find(call.workspaceId, draft._id, call);
    for (let read: Outgoing | null = draft; read; read = await find()) {
      // The provider's copy was ingested before, as a message of another client.
      if (!read.isDraft) return adopt(read, what, call);
      if (isTakenOver(read)) return null;
      const pending = { ...append, ...removalOf(read.place) };
      const became = await outgoing.markSent(call.workspaceId, read, { ...sent, pending }, call);
      if (became) {
        announce(read._id, events);
        await forget(call, read.providerChanges.append);
        return became;
      }
      // The provider has reported its location meanwhile. The deadline of the call ends this loop.
      call.signal.throwIfAborted();
    }
    return outgoing.standing(call.workspaceId, draft._id, call);
  };

  return { adopt, markSent };
}

/** The event that it was sent; it is in the API before. */
function sentOf({ mailbox, arrival }: OwnMail, threadId: string | null, context: Given['context']): Sent['events'] {
  const { created: _created, ...events } = pendingEvents(mailbox, arrival, threadId ?? '', context);
  return events;
}

function movedTo(
  workspaceId: string,
  { _id: emailId, mailboxId }: Outgoing,
  to: Sent['set'],
  context: Given['context'],
) {
  const data = { emailId, mailboxId, folderId: to.folderId ?? '', folderType: to.folderType ?? 'SENT' };
  return createMakers(context).event(workspaceId, 'email.moved', data);
}

/** The changes that sending makes to a draft. */
function sentParts({ mailbox, arrival }: OwnMail): Sent['set'] {
  return {
    ...shownOf(arrival),
    isDraft: false,
    // The Date header is the moment of sending, which is later than that of the draft.
    ...(arrival.mail.date && { date: arrival.mail.date }),
    ...writtenToIn(arrival),
    folderType: 'SENT',
    folderId: folderOf(mailbox, arrival.incoming)?.id ?? '',
    messageKey: arrival.messageKey,
    identity: mailbox.provider === 'imap' ? arrival.identities[0] : '',
    waitingForReply: wantsReply(arrival),
  };
}

function writtenToIn({ mail }: OwnMail['arrival']): Pick<EmailDocument, 'writtenTo'> {
  return { writtenTo: writtenToOf('SENT', mail) ?? [] };
}

function shownOf({ incoming }: OwnMail['arrival']) {
  if (!incoming.outgoing) throw new Error('not a message made here');
  return incoming.outgoing.shown;
}
