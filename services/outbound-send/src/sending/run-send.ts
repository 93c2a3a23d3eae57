import type { ScheduledStatus } from '@postroom/contract/lists';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SendChange, SendStore } from '../send-store.ts';
import type { Delivery, DeliverySteps, OutgoingMessage, SmtpServer } from '../smtp/delivery.ts';
import { lookDelay, retryDelay } from './states.ts';

/** Named places between the steps, where a test can stop the process as a crash would. */
export type Step = 'taken-up' | 'data-started' | 'data-ending' | 'answered' | 'accepted' | 'stored' | 'recorded';

type Refused = Extract<Delivery, { outcome: 'refused' }>;

export interface Shown {
  status: ScheduledStatus;
  /** When it goes out, where that is known. */
  sendAt: Date | null;
  /** Why it did not go out. */
  reason: string | null;
}

export interface SendDeps {
  sends: SendStore;
  /** Where the mailbox sends, with a login that is good now. */
  serverOf(send: SendDocument): Promise<SmtpServer>;
  deliver(server: SmtpServer, message: OutgoingMessage, steps: DeliverySteps): Promise<Delivery>;
  /** Stores the sent email, once however often it is asked; its id. */
  record(send: SendDocument): Promise<string>;
  /** Whether the provider has filed this message among the mailbox's sent emails: then it was accepted. */
  isFiled(send: SendDocument): Promise<boolean>;
  /** Why what has waited must not go out any more; null where nothing stands in its way. */
  objection(send: SendDocument): Promise<string | null>;
  /** Shows what becomes of it where people look: on the draft of a reply, in the log of a forward's rule. */
  show(send: SendDocument, shown: Shown): Promise<void>;
  /** Counts how an attempt ended. */
  count(send: SendDocument, outcome: 'recorded' | 'failed' | 'canceled' | 'postponed' | 'unknown'): void;
  context: Pick<ServiceContext, 'clock' | 'log'>;
  at?: (step: Step) => Promise<void> | void;
}

/** Nothing more is done with it, and its message is not needed any more. */
const FINAL = { wire: null, kept: null, nextAt: null } as const;

/** Brings a send that the caller holds as far as it goes now; what is left has a time at which it is taken up again. */
export async function runSend(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  await deps.at?.('taken-up');
  switch (send.state) {
    case 'scheduled':
    case 'connecting':
    case 'data_started':
      // Nobody has it. What a caller waited for goes out in that call or not at all.
      if (send.kind === 'send') return fail(send, 'interrupted before the server had the message', [], deps);
      return goOrCancel(send, deps);
    case 'data_ending':
      return lookForFiled(await becomeUnknown(send, 'interrupted before the server answered', deps), deps);
    case 'unknown':
      return lookForFiled(send, deps);
    case 'accepted':
      return recordSent(send, deps);
    default:
      return change(send, { nextAt: null }, deps);
  }
}

/** The first attempt, by whoever has just inserted the send and holds it. */
export async function beginSend(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  await deps.at?.('taken-up');
  return attempt(send, deps);
}

async function goOrCancel(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  const objection = await deps.objection(send);
  if (objection === null) return attempt(send, deps);
  await deps.show(send, { status: 'canceled', sendAt: null, reason: objection });
  deps.count(send, 'canceled');
  return change(send, { state: 'canceled', lastError: objection, ...FINAL }, deps);
}

async function attempt(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  await deps.show(send, { status: 'sending', sendAt: send.scheduledSendAt, reason: null });
  let held = await change(send, { state: 'connecting', attempts: send.attempts + 1 }, deps);
  const delivery = await tryToDeliver(held, deps, {
    dataStarted: async () => {
      held = await change(held, { state: 'data_started' }, deps);
      await deps.at?.('data-started');
    },
    dataEnding: async () => {
      held = await change(held, { state: 'data_ending' }, deps);
      await deps.at?.('data-ending');
    },
  });
  await deps.at?.('answered');
  if (delivery.outcome === 'unknown') return becomeUnknown(held, delivery.reason, deps);
  if (delivery.outcome === 'refused') return refuse(held, delivery, deps);
  const accepted = await change(held, { state: 'accepted', refused: delivery.refused, lastError: null }, deps);
  await deps.at?.('accepted');
  return recordSent(accepted, deps);
}

async function tryToDeliver(send: SendDocument, deps: SendDeps, steps: DeliverySteps): Promise<Delivery> {
  const { from, to, wire } = send;
  if (!wire) return { outcome: 'refused', reason: 'the message is no longer kept', isFinal: true, refused: [] };
  let server: SmtpServer;
  try {
    server = await deps.serverOf(send);
  } catch (error) {
    deps.context.log.warn({ err: error, sendId: send._id }, 'no way to the mail server of a mailbox');
    return { outcome: 'refused', reason: 'the mail server could not be asked', isFinal: false, refused: [] };
  }
  return deps.deliver(server, { from, to, bytes: wire }, steps);
}

/** A caller who waits is told at once; what waits by itself is tried again while there is hope. */
function refuse(send: SendDocument, { reason, isFinal, refused }: Refused, deps: SendDeps): Promise<SendDocument> {
  const delay = isFinal || send.kind === 'send' ? undefined : retryDelay(send.attempts);
  if (delay === undefined) return fail(send, reason, refused, deps);
  return postpone(send, reason, later(delay, deps), deps);
}

// Shown before it is written down: stopped in between it is shown again, and what was written is never shown too late.
async function postpone(send: SendDocument, reason: string, nextAt: Date | null, deps: SendDeps) {
  await deps.show(send, { status: 'pending', sendAt: nextAt, reason });
  deps.count(send, 'postponed');
  // Replies are counted by when they go out.
  const moved = send.kind === 'reply' && nextAt !== null ? { scheduledSendAt: nextAt } : {};
  return change(send, { state: 'scheduled', lastError: reason, nextAt, ...moved }, deps);
}

async function fail(send: SendDocument, reason: string, refused: SendDocument['refused'], deps: SendDeps) {
  await deps.show(send, { status: 'failed', sendAt: null, reason });
  deps.count(send, 'failed');
  return change(send, { state: 'failed', lastError: reason, refused, ...FINAL }, deps);
}

async function becomeUnknown(send: SendDocument, reason: string, deps: SendDeps): Promise<SendDocument> {
  const { clock } = deps.context;
  const notKnown = `what became of it is not known, and it is not sent again: ${reason}`;
  await deps.show(send, { status: 'sending', sendAt: send.scheduledSendAt, reason: notKnown });
  deps.count(send, 'unknown');
  const nextAt = later(lookDelay({ updatedAt: clock.date() }, clock.now()), deps);
  return change(send, { state: 'unknown', lastError: reason, nextAt }, deps);
}

async function lookForFiled(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  if (await deps.isFiled(send))
    return recordSent(await change(send, { state: 'accepted', lastError: null }, deps), deps);
  // Its age is that of the answer that never came, so looking does not count as a change.
  const nextAt = later(lookDelay(send, deps.context.clock.now()), deps);
  return change(send, { nextAt, updatedAt: send.updatedAt }, deps);
}

async function recordSent(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  const emailId = await deps.record(send);
  await deps.at?.('stored');
  await deps.show(send, { status: 'sent', sendAt: null, reason: null });
  const recorded = await change(send, { state: 'recorded', emailId, ...FINAL }, deps);
  deps.count(send, 'recorded');
  await deps.at?.('recorded');
  return recorded;
}

/** Somebody else holds the send now: whoever thought to hold it stops where it is. */
export class LostHold extends Error {}

async function change(send: SendDocument, what: SendChange, { sends, context }: SendDeps): Promise<SendDocument> {
  const written = { updatedAt: context.clock.date(), ...what };
  const isHeld = await sends.advance(send.workspaceId, send, [send.state], written);
  if (!isHeld) throw new LostHold('this send has another holder');
  return { ...send, ...written };
}

function later(delay: number | undefined, { context }: SendDeps): Date | null {
  return delay === undefined ? null : new Date(context.clock.now() + delay);
}
