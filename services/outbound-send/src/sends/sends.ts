import { ApiError, toApiError } from '@postroom/errors/api-error';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { toMessageEmail } from '@postroom/mail-store/email-message';
import { ComposeRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Email } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SendDirectoryStore } from '../directory/directory-store.ts';
import type { Sender } from '../sending/sender.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { type Composed, compositionOf } from '../compose/composition-of.ts';
import { fingerprintOf, newSend, sendIdOf } from '../new-send/new-send.ts';
import { sendWithin } from './send-within.ts';

/** The part of the caller's time that is reserved for the answer. */
const MARGIN_MS = 400;
/** The minimum time for an attempt. A permit that becomes free later is of no use to the caller. */
const LEAST_ATTEMPT_MS = 2_000;
const LONGEST_REASON = 300;

export interface SendCallDeps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  sends: SendStore;
  directory: SendDirectoryStore;
  sender: Pick<Sender, 'permitWithin' | 'begin' | 'wake'>;
  leaseMs: number;
}

/** Sends at once: the caller learns that the message was sent, was not sent, or that this is not known yet. */
export function sendHandlers(deps: SendCallDeps) {
  const { sends, directory, sender, context } = deps;

  const answer = async (send: SendDocument, call: Call): Promise<Email> => {
    const email = send.emailId === null ? null : await directory.shown(call.workspaceId, send.emailId, call);
    if (!email) throw new ApiError('CONFLICT', { message: 'The email was sent, and is not in the mailbox any more.' });
    return toMessageEmail(email);
  };

  /** Answers for the message of an earlier call, which may have been sent. */
  const earlier = async (known: SendDocument, call: Call): Promise<Email> => {
    if (known.state === 'recorded') return answer(known, call);
    await searchNow(known, deps);
    throw underWay();
  };

  /** Its own attempt, once its mailbox has a permit for it. */
  const sendNow = async (request: ComposeRequest, known: SendDocument | null, fingerprint: string, call: Call) => {
    const about = { operation: sendIdOf(call), date: context.clock.date() };
    const { workspaceId } = call;
    const remainingMs = () => Math.max(1, call.remainingMs() - MARGIN_MS);
    const composed = await compositionOf(request, about, directory, { workspaceId, remainingMs }).catch(notBegun);
    const whose = { workspaceId, mailboxId: composed.mailbox._id };
    const patienceMs = Math.max(0, remainingMs() - LEAST_ATTEMPT_MS);
    const permit = await sender.permitWithin(whose, patienceMs).catch(notBegun);
    if (!permit) throw notSent('other messages of this mailbox are still on their way to its mail server');
    try {
      const held = await hold({ composed, known, fingerprint }, call, deps).catch(notBegun);
      if (!held) throw underWay();
      return await sendWithin(deps, held, permit, remainingMs());
    } catch (error) {
      void permit.leave();
      throw error;
    }
  };

  return {
    async sendEmail(request, call) {
      const fingerprint = fingerprintOf(ComposeRequest.encode(request).finish());
      const known = await sends.find(call.workspaceId, sendIdOf(call)).catch(notKnown);
      if (known && known.fingerprint !== fingerprint)
        throw new ApiError('CONFLICT', { message: 'This operation was asked for with another message.' });
      if (known && known.state !== 'failed') return earlier(known, call).catch(refusedOrNotKnown);
      const outcome = await sendNow(request, known, fingerprint, call);
      if (outcome?.state === 'recorded') return answer(outcome, call).catch(notKnown);
      if (outcome?.state === 'failed') throw notSent(outcome.lastError ?? 'no reason given');
      return notKnown();
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}

interface Asked {
  composed: Composed;
  /** The send of an earlier call of the same operation. */
  known: SendDocument | null;
  fingerprint: string;
}

/** The send of this operation, held by this call; null if another call holds it. */
async function hold({ composed, known, fingerprint }: Asked, call: Call, { sends, context, leaseMs }: SendCallDeps) {
  const { mailbox, composition } = composed;
  const nextAt = new Date(context.clock.now() + leaseMs);
  const send = await newSend(call, composition, { kind: 'send', mailboxId: mailbox._id, fingerprint, nextAt });
  if (!known) return (await sends.insert(call.workspaceId, send)) ? send : null;
  const { _id, workspaceId: _workspaceId, epoch: _epoch, createdAt: _createdAt, ...again } = send;
  return sends.takeUp(call.workspaceId, known, ['failed'], again);
}

/** After a repeated call, the worker checks an unknown or unstored send now and not at its scheduled time. */
async function searchNow(known: SendDocument, { sends, sender, context }: SendCallDeps): Promise<void> {
  const isLeft = known.state === 'unknown' || (known.state === 'accepted' && known.lastError !== null);
  if (!isLeft) return;
  await sends.advance(known.workspaceId, known, [known.state], { nextAt: context.clock.date() });
  sender.wake();
}

/** No worker takes up a send that its call has not stored, so a timeout here means that nothing was sent. */
function notBegun(cause: unknown): never {
  if (toApiError(cause).code !== 'QUERY_TIMEOUT') throw cause;
  throw notSent('the time of the call was over before it began');
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

/** A database error does not tell whether the message was sent, but a caller reads an error as not sent. */
function refusedOrNotKnown(error: unknown): never {
  if (error instanceof ApiError) throw error;
  notKnown(error);
}

function notSent(why: string): ApiError {
  // The server's text may name people, so only the caller gets it; it is in no log.
  const reason = why.replace(/\s+/g, ' ').slice(0, LONGEST_REASON);
  return new ApiError('INTERNAL_ERROR', {
    message: `Nothing was sent: ${reason}`,
    cause: new Error('the mail server did not take a message'),
  });
}
