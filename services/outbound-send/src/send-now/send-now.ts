import { ApiError, toApiError } from '@postroom/errors/api-error';
import type { SendDocument, SendState } from '@postroom/mail-store/documents/send';
import type { Call } from '@postroom/rpc/call';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Budget } from '../compose/build-composition.ts';
import type { Composition } from '../compose/composition.ts';
import { failedSend, newSend, type Said } from '../new-send/new-send.ts';
import type { SendPermit } from '../send-permits/send-permits.ts';
import { FINAL } from '../sending/send-deps.ts';
import type { Sender } from '../sending/sender.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { sendWithin } from './send-within.ts';

/** The part of the caller's time that is reserved for the answer. */
const MARGIN_MS = 400;
/** The minimum time for an attempt. A permit that becomes free later is of no use to the caller. */
const LEAST_ATTEMPT_MS = 2_000;
const LONGEST_REASON = 300;
const LATE = 'the time of the call was over before it began';
const BUSY = 'other messages of this mailbox are still on their way to its mail server';

export interface SendNowDeps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  sends: SendStore;
  sender: Pick<Sender, 'permitWithin' | 'begin' | 'wake'>;
  leaseMs: number;
}

export interface SendOperation {
  operation: Pick<Call, 'workspaceId' | 'operationId'>;
  /** The send of an earlier call of the same operation, and the states in which it may begin anew. */
  known: SendDocument | null;
  from: readonly SendState[];
}

export interface SendMessage {
  composition: Composition;
  said: Omit<Said, 'nextAt'>;
}

/** One attempt, once the mailbox has a permit for it. The message was sent when this returns. */
export async function sendNow(
  what: SendOperation,
  compose: (budget: Budget) => Promise<SendMessage>,
  call: Call,
  deps: SendNowDeps,
): Promise<SendDocument> {
  const { sender, context, leaseMs } = deps;
  const { workspaceId } = call;
  const remainingMs = () => Math.max(1, call.remainingMs() - MARGIN_MS);
  const message = await compose({ workspaceId, remainingMs }).catch(notBegun);
  const whose = { workspaceId, mailboxId: message.said.mailboxId };
  const patienceMs = Math.max(0, remainingMs() - LEAST_ATTEMPT_MS);
  const permit = await sender.permitWithin(whose, patienceMs).catch(notBegun);
  if (!permit) return nothingSent(what, message, BUSY, deps);
  // Its caller may have been told by now what a later call of the operation found, so it must not begin any more.
  const isOver = () => call.signal.aborted || call.remainingMs() <= 0;
  if (isOver()) return releasing(permit)(notSent(LATE));
  const nextAt = new Date(context.clock.now() + leaseMs);
  const held = await holdSend(what, message, nextAt, deps).catch(notBegun).catch(releasing(permit));
  if (!held) return releasing(permit)(underWay());
  if (isOver()) return endUnsent(held, deps).catch(releasing(permit));
  // From here on the sender releases the permit, when the message is no longer in transit.
  return sent(await sendWithin(deps, held, permit, remainingMs()));
}

/** An earlier call of the operation may still wait for a permit, here or elsewhere. It must not begin after this answer. */
async function nothingSent(
  { operation, known }: SendOperation,
  { composition, said }: SendMessage,
  why: string,
  { sends, context }: SendNowDeps,
): Promise<never> {
  const { workspaceId } = operation;
  const isEnded = known
    ? sends.takeUp(workspaceId, known, [known.state], { updatedAt: context.clock.date() })
    : sends.insert(workspaceId, failedSend(operation, composition, { said, why }));
  throw (await isEnded.catch(notKnown)) ? notSent(why) : underWay();
}

async function endUnsent(held: SendDocument, { sends, context }: SendNowDeps): Promise<never> {
  const change = { state: 'failed', lastError: LATE, updatedAt: context.clock.date(), ...FINAL } as const;
  const isEnded = await sends.advance(held.workspaceId, held, [held.state], change).catch(notKnown);
  // Behind a long stop its lease is over, and a worker may have taken it up.
  throw isEnded ? notSent(LATE) : underWay();
}

const releasing =
  (permit: SendPermit) =>
  (error: unknown): never => {
    void permit.leave();
    throw error;
  };

/** The send of this operation, held by this call; null if another call holds it. */
export async function holdSend(
  { operation, known, from }: SendOperation,
  { composition, said }: SendMessage,
  nextAt: Date,
  { sends }: Pick<SendNowDeps, 'sends'>,
): Promise<SendDocument | null> {
  const { workspaceId } = operation;
  const send = await newSend(operation, composition, { ...said, nextAt });
  if (!known) return (await sends.insert(workspaceId, send)) ? send : null;
  const { _id, workspaceId: _workspaceId, epoch: _epoch, ...again } = send;
  return sends.takeUp(workspaceId, known, from, again);
}

/** After a repeated call, the worker checks an unknown or unstored send now and not at its scheduled time. */
export async function searchNow(known: SendDocument, deps: Omit<SendNowDeps, 'leaseMs'>): Promise<void> {
  const { sends, sender, context } = deps;
  const isLeft = known.state === 'unknown' || (known.state === 'accepted' && known.lastError !== null);
  if (!isLeft) return;
  await sends.advance(known.workspaceId, known, [known.state], { nextAt: context.clock.date() });
  sender.wake();
}

export function underWay(): ApiError {
  return new ApiError('CONFLICT', {
    message: 'The first call of this operation is still running, or what became of its message is not known yet.',
  });
}

export function notKnown(cause?: unknown): never {
  throw new ApiError('QUERY_TIMEOUT', {
    message:
      'It is not known yet whether the message was sent. It is not sent again; ask once more with the same Idempotency-Key.',
    ...(cause !== undefined && { cause }),
  });
}

/** A database error does not tell whether the message was sent, but a caller reads an error as not sent. */
export function refusedOrNotKnown(error: unknown): never {
  if (error instanceof ApiError) throw error;
  notKnown(error);
}

function sent(outcome: SendDocument | undefined): SendDocument {
  if (outcome?.state === 'recorded') return outcome;
  if (outcome?.state === 'failed') throw notSent(outcome.lastError ?? 'no reason given');
  if (outcome?.state === 'canceled')
    throw new ApiError('OUTBOUND_SEND_NOT_ALLOWED', { message: `Nothing was sent: ${outcome.lastError}.` });
  return notKnown();
}

/** No worker takes up a send that its call has not stored, so a timeout here means that nothing was sent. */
function notBegun(cause: unknown): never {
  if (toApiError(cause).code !== 'QUERY_TIMEOUT') throw cause;
  throw notSent(LATE);
}

function notSent(why: string): ApiError {
  // The server's text may name people, so only the caller gets it; it is in no log.
  const reason = why.replace(/\s+/g, ' ').slice(0, LONGEST_REASON);
  return new ApiError('INTERNAL_ERROR', {
    message: `Nothing was sent: ${reason}`,
    cause: new Error('the mail server did not take a message'),
  });
}
