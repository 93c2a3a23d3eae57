import { ApiError } from '@postroom/errors/api-error';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { toMessageEmail } from '@postroom/mail-store/email-message';
import { ComposeRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Email } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import { compositionOf } from './compose/composition-of.ts';
import type { Deps, Rpcs } from './deps.ts';
import { fingerprintOf, newSend, sendIdOf } from './new-send.ts';
import { settleWithin } from './settle-within.ts';

/** What is left of the caller's time for the answer's way back. */
const MARGIN_MS = 400;
const LONGEST_REASON = 300;

/** Sending now: the caller hears yes, surely no, or that it is not known yet. */
export function sendHandlers(deps: Deps) {
  const { sends, directory, context, leaseMs } = deps;

  const answer = async (send: SendDocument, call: Call): Promise<Email> => {
    const email = send.emailId === null ? null : await directory.shown(call.workspaceId, send.emailId, call);
    if (!email) throw new ApiError('CONFLICT', { message: 'The email was sent, and is not in the mailbox any more.' });
    return toMessageEmail(email);
  };

  /** The send of this operation, held by this call; or null where it is somebody else's. */
  const hold = async (request: ComposeRequest, known: SendDocument | null, fingerprint: string, call: Call) => {
    const { workspaceId } = call;
    const about = { operation: sendIdOf(call), date: context.clock.date() };
    const { mailbox, composition } = await compositionOf(request, about, directory, call);
    const nextAt = new Date(context.clock.now() + leaseMs);
    const send = await newSend(call, composition, { kind: 'send', mailboxId: mailbox._id, fingerprint, nextAt });
    if (!known) return (await sends.insert(workspaceId, send)) ? send : null;
    const { _id, workspaceId: _workspaceId, epoch: _epoch, createdAt: _createdAt, ...again } = send;
    return sends.takeUp(workspaceId, known, ['failed'], again);
  };

  return {
    async sendEmail(request, call) {
      const fingerprint = fingerprintOf(ComposeRequest.encode(request).finish());
      const known = await sends.find(call.workspaceId, sendIdOf(call));
      if (known && known.fingerprint !== fingerprint)
        throw new ApiError('CONFLICT', { message: 'This operation was asked for with another message.' });
      if (known?.state === 'recorded') return answer(known, call);
      const held = !known || known.state === 'failed' ? await hold(request, known, fingerprint, call) : null;
      if (!held) throw underWay();
      const settled = await settleWithin(deps, held, call.remainingMs() - MARGIN_MS);
      if (settled?.state === 'recorded') return answer(settled, call).catch(notKnown);
      if (settled?.state === 'failed') throw notSent(settled);
      return notKnown();
    },
  } satisfies Partial<Rpcs>;
}

function underWay(): ApiError {
  return new ApiError('CONFLICT', {
    message: 'The first call of this operation is still running, or what became of its message is not known yet.',
  });
}

function notKnown(cause?: unknown): never {
  throw new ApiError('QUERY_TIMEOUT', {
    message:
      'It is not known yet whether the message was sent. It is not sent again; ask once more with the same Idempotency-Key.',
    ...(cause !== undefined && { cause }),
  });
}

function notSent({ lastError }: SendDocument): ApiError {
  // The server's own words may name people: they are the caller's to read, and stand in no log.
  const reason = (lastError ?? 'no reason given').replace(/\s+/g, ' ').slice(0, LONGEST_REASON);
  return new ApiError('INTERNAL_ERROR', {
    message: `Nothing was sent: ${reason}`,
    cause: new Error('the mail server did not take a message'),
  });
}
