import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { owedAtFirst } from '@postroom/mail-store/outbox';
import { owingOf } from '@postroom/mail-store/outbox-store';
import type { Call } from '@postroom/rpc/call';
import type { Deps } from '../deps.ts';
import { type Arrival, folderOf, owedBy } from '../ingest/email-document.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Outgoing, Sent } from './outgoing-store.ts';

/** A message that was made here, on its way to its folder. */
export interface Arriving {
  mailbox: MailboxDocument;
  arrival: Arrival;
}

export interface FilingDeps extends Pick<Deps, 'stores' | 'relay' | 'context'> {
  ingest: Pick<Ingest, 'requireMailbox' | 'store'>;
}

/** Each way gives the id under which the message stands in the end. */
export function createFiling({ stores, relay, context, ingest }: FilingDeps) {
  const { outgoing } = stores;

  /** The copy that the provider has filed is that message; what only its sender knows is added to it. */
  const adopt = async (copy: Outgoing, { mailbox, arrival }: Arriving, call: Call): Promise<string> => {
    const { isAutoForward, isAutoReply, scheduledSendAt, scheduledStatus } = shownOf(arrival);
    const set = { isAutoForward, isAutoReply, scheduledSendAt, scheduledStatus, bcc: arrival.mail.bcc };
    const events = owedBy(mailbox, arrival, copy.threadId ?? '', context);
    if (await outgoing.adopt(call.workspaceId, copy._id, sentBy(call, set, events), call)) announce(copy._id, events);
    return copy._id;
  };
  const announce = (ownerId: string, events: Sent['events']): void => {
    if (Object.keys(events).length > 0)
      relay.publishSoon([owingOf({ _id: ownerId, ...owedAtFirst(events, context.clock.date()) })]);
  };
  const sentBy = (call: Call, set: Sent['set'], events: Sent['events']): Sent => ({
    set,
    events,
    operationId: call.operationId,
    at: context.clock.date(),
  });

  return {
    file: async (what: Arriving, call: Call): Promise<string> => {
      const { emailId = '' } = await ingest.store(what.mailbox, what.arrival);
      const stored = await outgoing.find(call.workspaceId, emailId, call);
      const isOurs = stored?.sourceKey === what.arrival.incoming.sourceKey;
      return stored && !isOurs && !stored.isDraft ? adopt(stored, what, call) : emailId;
    },

    turnIntoSent: async (draft: Outgoing, what: Arriving, call: Call): Promise<string> => {
      const { workspaceId } = call;
      const { mailbox, arrival } = what;
      const [copy] = await stores.emails.findSent(workspaceId, mailbox._id, [arrival.mail.messageId]);
      const filed = copy && (await outgoing.find(workspaceId, copy._id, call));
      if (filed) {
        const emailId = await adopt(filed, what, call);
        await outgoing.removeDraft(workspaceId, draft._id, call);
        return emailId;
      }
      const set = {
        ...shownOf(arrival),
        isDraft: false,
        folderType: 'SENT' as const,
        folderId: folderOf(mailbox, arrival.incoming)?.id ?? '',
        messageKey: arrival.messageKey,
        waitingForReply: arrival.mail.asksSomething && !arrival.mail.isAutomatic,
      };
      const events = owedBy(mailbox, arrival, draft.threadId ?? '', context);
      if (await outgoing.becomeSent(workspaceId, draft, sentBy(call, set, events), call)) announce(draft._id, events);
      return draft._id;
    },
  };
}

function shownOf({ incoming }: Arrival) {
  if (!incoming.outgoing) throw new Error('not a message made here');
  return incoming.outgoing.shown;
}
