import type { RefusedPart, SendDocument } from '@postroom/mail-store/documents/send';
import type { Delivery, DeliverySteps, SmtpServer } from '../smtp/delivery.ts';
import { recordSent } from './record.ts';
import { asFinal, noteUndelivered } from './deferred-recipients.ts';
import { cancelSend } from './cancel-send.ts';
import { change, failSend, later, type SendDeps } from './send-deps.ts';
import { unavailableDelay, retryDelay } from './delays.ts';
import { becomeUnknown } from './unknown-outcome.ts';

type Refused = Extract<Delivery, { outcome: 'refused' }>;

/** Between the two attempts that a caller's time has room for, and what the second needs at the least. */
const PAUSE_MS = 1_500;
const LEAST_TIME_MS = 3_000;

/** One attempt; a second, where a caller waits until then and the first was surely refused, but not for good. */
export async function attemptSend(send: SendDocument, deps: SendDeps, patientUntil = 0): Promise<SendDocument> {
  const { clock } = deps.context;
  let held = await change(send, { state: 'connecting', attempts: send.attempts + 1 }, deps);
  // It is not earlier, because until then it may be canceled, and must not be shown as in transit.
  const isOurs = await deps.show(held, { status: 'sending', sendAt: send.scheduledSendAt, reason: null });
  if (!isOurs) return cancelSend(held, 'somebody works on the draft', deps);
  // From here on, a mail program that saves the draft takes it over, and what leaves is stored apart from it.
  if (isOfDraft(held) && !(await deps.draftIsUnchanged(held)))
    return cancelSend(held, 'the draft was changed meanwhile', deps);
  let refused: RefusedPart[] = [];
  const delivery = await tryToDeliver(held, deps, {
    // Nobody has the message before its end, so a crash here is like one before the data, and the step is not stored.
    dataStarted: async (refusedByNow) => {
      refused = refusedByNow;
      await deps.at?.('data-started');
    },
    dataEnding: async () => {
      held = await change(held, { state: 'data_ending', refused }, deps);
      await deps.at?.('data-ending');
    },
  });
  await deps.at?.('answered');
  deps.served(delivery.outcome === 'accepted' || (delivery.outcome === 'refused' && delivery.isServed));
  if (delivery.outcome === 'refused' && delivery.cause)
    deps.context.log.warn({ err: delivery.cause, sendId: send._id }, 'a message was not handed to its mail server');
  if (delivery.outcome === 'unknown') return becomeUnknown(held, delivery.reason, deps);
  if (delivery.outcome === 'accepted') {
    const accepted = await change(held, { state: 'accepted', refused: delivery.refused, lastError: null }, deps);
    await deps.at?.('accepted');
    return recordSent(accepted, deps);
  }
  const hasCapacity = clock.now() + PAUSE_MS + LEAST_TIME_MS < patientUntil;
  if (delivery.isFinal || !hasCapacity) return refuse(held, delivery, deps);
  const again = await change(held, { state: 'connecting', lastError: delivery.reason }, deps);
  await clock.sleep(PAUSE_MS);
  return attemptSend(again, deps);
}

/** The draft of a reply is taken over by whoever saves it, also before the reply leaves. */
const isOfDraft = ({ kind, draftId }: SendDocument): boolean => kind !== 'reply' && draftId !== null;

async function tryToDeliver(send: SendDocument, deps: SendDeps, steps: DeliverySteps): Promise<Delivery> {
  const { _id: operation, from, to, wire } = send;
  if (!wire) return notTried('the message is no longer kept', true);
  let server: SmtpServer;
  try {
    server = await deps.serverOf(send);
  } catch (error) {
    deps.context.log.warn(
      { err: error, sendId: send._id },
      'the access to a mail server cannot be read; the send is tried again',
    );
    return notTried('the mail server could not be asked', false);
  }
  const told = { 'smtp.recipients': to.length, 'smtp.bytes': wire.length };
  const deliver = () => deps.deliver(server, { operation, from, to, bytes: wire }, steps);
  return deps.context.tracing.withSpan('smtp deliver', told, undefined, deliver, 'client');
}

const notTried = (reason: string, isFinal: boolean): Delivery => ({
  outcome: 'refused',
  reason,
  isFinal,
  isServed: isFinal,
  refused: [],
});

/** A waiting caller gets the refusal at once. An automatic send is tried again while attempts remain. */
async function refuse(send: SendDocument, delivery: Refused, deps: SendDeps): Promise<SendDocument> {
  if (send.kind === 'remainder') return refuseDeferred(send, delivery, deps);
  const { reason, isFinal, refused } = delivery;
  const { delay, attempts } = again(send, delivery, deps);
  if (isFinal || send.kind === 'send' || delay === undefined) return failSend(send, reason, refused, deps);
  const nextAt = later(delay, deps);
  await deps.show({ ...send, attempts }, { status: 'pending', sendAt: nextAt, reason });
  deps.count(send, 'postponed');
  // Replies are counted by when they go out.
  const moved = send.kind === 'reply' && nextAt !== null ? { scheduledSendAt: nextAt } : {};
  return change(send, { state: 'scheduled', attempts, lastError: reason, nextAt, ...moved }, deps);
}

/** A question to the server counts as an attempt. An unavailable server does not. */
function again(send: SendDocument, { isServed }: Refused, { context: { clock } }: SendDeps) {
  if (isServed) return { delay: retryDelay(send.attempts), attempts: send.attempts };
  return { delay: unavailableDelay(send, clock.now()), attempts: send.attempts - 1 };
}

/** Of several deferred recipients some may be refused for good by now. */
async function refuseDeferred(send: SendDocument, delivery: Refused, deps: SendDeps) {
  const { reason, isFinal, refused } = delivery;
  const asked = send.to.map(
    (address) => refused.find((one) => one.address === address) ?? { address, reason, isFinal },
  );
  const to = asked.filter((one) => !one.isFinal).map(({ address }) => address);
  const next = again(send, delivery, deps);
  const delay = to.length === 0 ? undefined : next.delay;
  const told = delay === undefined ? asFinal(asked) : asked;
  await noteUndelivered(send, told, deps);
  if (delay === undefined) return failSend(send, reason, told, deps);
  const { attempts } = next;
  return change(send, { state: 'scheduled', to, attempts, lastError: reason, nextAt: later(delay, deps) }, deps);
}
