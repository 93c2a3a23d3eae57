import { isOneOf, SCHEDULED_STATUSES } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { toMessageEmail } from '@postroom/mail-store/email-message';
import type { StoreOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ParsePool } from '../parse/parse-pool.ts';
import { toArrival } from '../ingest/email-document.ts';
import type { Before, Outgoing } from './outgoing-store.ts';
import { readOutgoing } from './read-outgoing.ts';
import type { OwnMail } from './own-mail.ts';
import { createSentMessages, type SentMessagesDeps } from './sent-messages.ts';

export type { OutgoingStore } from './outgoing-store.ts';
export type { PendingCopyStore } from './pending-copy-store.ts';

interface OutgoingDeps extends SentMessagesDeps {
  pool: Pick<ParsePool, 'parse'>;
}

/** Mail that is made here goes through ingest, and has the same threads, words and preview. */
export function createOutgoingHandlers(deps: OutgoingDeps) {
  const { stores, ingest, pool, context } = deps;
  const { outgoing } = stores;
  const sentMessages = createSentMessages(deps);

  const arriving = async (request: StoreOutgoingRequest, call: Call): Promise<OwnMail> => {
    const { workspaceId, operationId } = call;
    const incoming = readOutgoing(request, operationId, context.clock.date());
    const mailbox = await ingest.requireMailbox(workspaceId, request.mailboxId);
    const parsed = await pool.parse(incoming.raw, workspaceId, call.signal);
    if (parsed.kind === 'refused') throw new Error(`a message made here cannot be parsed: ${parsed.cause}`);
    return { mailbox, arrival: toArrival(mailbox, incoming, parsed.mail) };
  };

  const filed = async ({ known, draft, copy }: Before, what: OwnMail, call: Call): Promise<Outgoing> => {
    if (known) return known;
    if (!draft) return sentMessages.file(what, call);
    if (draft.isDraft) return sentMessages.convertToSent(draft, copy, what, call);
    // It was sent before, by this call or as the provider's copy shows.
    const isThis = draft.messageId === what.arrival.mail.messageId;
    return isThis ? sentMessages.adopt(draft, what, call) : draft;
  };

  return {
    storeOutgoing: async (request, call) => {
      const { mailboxId, draftId } = request;
      const what = await arriving(request, call);
      // Of a message without a draft the insert finds the email that the operation has made before.
      if (draftId === undefined) return toMessageEmail(await sentMessages.file(what, call));
      const { incoming, mail } = what.arrival;
      const named = { sourceKey: incoming.sourceKey, draftId, mail };
      const before = await outgoing.findBefore(call.workspaceId, mailboxId, named, call);
      return toMessageEmail(await filed(before, what, call));
    },

    updateOutgoing: async ({ emailId, scheduledSendAt, scheduledStatus, epoch }, call) => {
      if (scheduledStatus !== undefined && !isOneOf(SCHEDULED_STATUSES, scheduledStatus))
        refuse('scheduledStatus', `must be one of ${SCHEDULED_STATUSES.join(', ')}`);
      const set = {
        scheduledSendAt: scheduledSendAt === undefined ? null : new Date(scheduledSendAt),
        scheduledStatus: scheduledStatus ?? null,
      };
      const by = epoch === undefined ? undefined : { sendId: call.operationId, epoch };
      const changed = await outgoing.schedule(call.workspaceId, emailId, set, by, call);
      if (!changed) throw new ApiError('EMAIL_NOT_FOUND');
      return toMessageEmail(changed);
    },
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}
