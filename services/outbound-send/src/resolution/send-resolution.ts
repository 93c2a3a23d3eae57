import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { Send, type OutboundSendOperatorServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Handlers } from '@postroom/rpc/definition';
import type { Sender } from '../sending/sender.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { recording, type RecordingDeps } from '../recording/record-sent.ts';
import { noteUndelivered } from '../sending/deferred-recipients.ts';
import { FINAL } from '../sending/send-deps.ts';
import { isTrouble, TROUBLES } from '../stored-sends/trouble.ts';

const MOST = 1_000;
const NOT_SENT = 'an operator has looked: it was not sent';

export interface OperatorSendDeps extends RecordingDeps {
  sends: SendStore;
  sender: Pick<Sender, 'wake'>;
}

/** Operators list sends with trouble, and record the real outcome of a send that is unknown to the service. */
export function sendResolutionHandlers(deps: OperatorSendDeps) {
  const { sends, sender, context } = deps;
  const { show, reportUndelivered } = recording(deps);

  const find = async (workspaceId: string, id: string): Promise<SendDocument> => {
    const send = await sends.find(workspaceId, id);
    if (!send) throw new ApiError('NOT_FOUND', { message: 'There is no such send.' });
    return send;
  };
  const markSent = (send: SendDocument) => {
    const now = context.clock.date();
    const known = { state: 'accepted', lastError: null, updatedAt: now, nextAt: now } as const;
    return sends.takeUp(send.workspaceId, send, ['unknown'], known);
  };
  const markNotSent = async (send: SendDocument) => {
    await show(send, { status: 'failed', sendAt: null, reason: NOT_SENT });
    const left = send.to.map((address) => ({ address, reason: NOT_SENT, isFinal: true }));
    if (send.kind === 'remainder') await noteUndelivered(send, left, { sends, reportUndelivered });
    const known = { state: 'failed', lastError: NOT_SENT, updatedAt: context.clock.date(), ...FINAL } as const;
    return sends.takeUp(send.workspaceId, send, ['unknown'], known);
  };

  return {
    async listSends({ mailboxId, trouble, limit }, { workspaceId }) {
      if (!isTrouble(trouble)) refuse('trouble', `must be one of ${Object.keys(TROUBLES).join(', ')}`);
      const found = await sends.troubled(workspaceId, trouble, mailboxId, Math.min(limit, MOST));
      return { items: found.map(toMessageSend) };
    },

    async getSend({ id }, { workspaceId }) {
      return toMessageSend(await find(workspaceId, id));
    },

    async resolveSend({ id, isSent }, { workspaceId }) {
      const send = await find(workspaceId, id);
      const resolved = send.state === 'unknown' ? await (isSent ? markSent : markNotSent)(send) : null;
      if (!resolved)
        throw new ApiError('CONFLICT', {
          message: `Only a send with an unknown outcome can be resolved. This one is ${send.state}.`,
        });
      sender.wake();
      return toMessageSend(resolved);
    },
  } satisfies Partial<Handlers<OutboundSendOperatorServiceDefinition>>;
}

function toMessageSend(send: Omit<SendDocument, 'wire' | 'kept'>): Send {
  const { _id: id, mailboxId, kind, state, messageId, from, to, refused, attempts } = send;
  const { lastError, emailId, remainderOf, createdAt, updatedAt, nextAt } = send;
  return Send.create({
    id,
    mailboxId,
    kind,
    state,
    messageId,
    from,
    to,
    refused,
    attempts,
    ...(lastError !== null && { lastError }),
    ...(emailId !== null && { emailId }),
    ...(remainderOf && { deferredFrom: remainderOf }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(nextAt !== null && { nextAt: nextAt.toISOString() }),
  });
}
