import type { SendDocument } from '@postroom/mail-store/documents/send';
import { StoreOutgoingRequest, UpdateOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Deps } from './deps.ts';
import type { SendDeps } from './sending/run-send.ts';

/** What of a send shows in its mailbox: written by mailbox-write, once however often it is asked. */
export function recording({ mailboxWrite }: Pick<Deps, 'mailboxWrite'>): Pick<SendDeps, 'record' | 'show'> {
  return {
    record: async (send) => {
      const email = await mailboxWrite.storeOutgoing(sentEmail(send), contextOf(send));
      return email.id;
    },
    show: async (send, scheduledStatus, sendAt) => {
      const emailId = send.draftId ?? '';
      const update = UpdateOutgoingRequest.create({ emailId, scheduledStatus, ...timed(sendAt) });
      await mailboxWrite.updateOutgoing(update, contextOf(send)).catch((error: unknown) => {
        // Thrown away for good, or turned into the sent email already.
        if ((error as { code?: unknown }).code !== 'EMAIL_NOT_FOUND') throw error;
      });
    },
  };
}

function sentEmail({ kind, mailboxId, wire, kept, draftId, scheduledSendAt }: SendDocument): StoreOutgoingRequest {
  return StoreOutgoingRequest.create({
    mailboxId,
    folderType: 'SENT',
    raw: kept ?? wire ?? Buffer.alloc(0),
    isAutoReply: kind === 'reply',
    isAutoForward: kind === 'forward',
    owesDraftSent: kind === 'send',
    ...(draftId !== null && { draftId, scheduledStatus: 'sent', ...timed(scheduledSendAt) }),
  });
}

const timed = (at: Date | null) => (at === null ? {} : { scheduledSendAt: at.toISOString() });

const contextOf = ({ workspaceId, _id }: SendDocument) => ({ workspaceId, operationId: _id });
