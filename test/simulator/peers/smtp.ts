import type {
  Delivery,
  DeliverySteps,
  OutgoingMessage,
  RefusedRecipient,
  SmtpServer,
} from '../../../services/outbound-send/src/smtp/delivery.ts';
import { createProcess, type Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** A message that the server has. */
export interface Taken {
  operation: string;
  from: string;
  to: readonly string[];
  /** The process that handed it over. */
  by: string;
  at: number;
  /** The whole message. */
  text: string;
}

export type Deliver = (server: SmtpServer, message: OutgoingMessage, steps: DeliverySteps) => Promise<Delivery>;

interface SmtpPeer {
  taken: readonly Taken[];
  deliverOf(pod: Process): Deliver;
}

/** The server knows no such recipient, whenever it is asked. */
export const STRANGER = 'nobody';
/** At times the server takes nothing for this recipient. */
export const DEFERRED = 'later';
/** So slow that messages of one mailbox are in transit at once. */
const SLOWEST_STEP_MS = 600;
/** Some of these are longer than a call waits, and all are longer than a lease. */
const SLOW_MS = { least: 7_000, most: 16_000 };
const no = (reason: string, isFinal: boolean, isServed: boolean): Delivery => {
  return { outcome: 'refused', reason, isFinal, isServed, refused: [] };
};

function refusedOf(to: readonly string[], isDeferred: () => boolean): RefusedRecipient[] {
  return to.flatMap((address) => {
    if (address.startsWith(STRANGER)) return { address, reason: '550 no such mailbox', isFinal: true };
    return address.startsWith(DEFERRED) && isDeferred() ? { address, reason: '450 later', isFinal: false } : [];
  });
}

/** Of all recipients. */
function refusal(refused: readonly RefusedRecipient[]) {
  const isFinal = refused.every((one) => one.isFinal);
  return {
    outcome: 'refused',
    reason: isFinal ? '550 no such mailbox' : '450 later',
    isFinal,
    isServed: true,
  } as const;
}

/**
 * A mail server as smtp/deliver.ts tells of one. Each step of a delivery takes a while, in which its process may die. A
 * message whose last byte came is taken, whether or not the answer arrives.
 */
export function openSmtp(world: World): SmtpPeer {
  const server = createProcess(world, 'smtp server');
  const taken: Taken[] = [];
  const { faults, trace } = world;
  const take = ({ operation, from, to, bytes }: OutgoingMessage, by: string) => {
    trace.say(server.name, `takes ${operation}`);
    taken.push({ operation, from, to, by, at: world.now(), text: bytes.toString('latin1') });
  };
  const deliver = async (pod: Process, message: OutgoingMessage, steps: DeliverySteps): Promise<Delivery> => {
    const onTheWire = () => pod.context.clock.sleep(world.latency() + world.chance.below(SLOWEST_STEP_MS));
    await onTheWire();
    if (faults.strikes('smtpUnavailable')) return no('it cannot be reached', false, false);
    if (faults.strikes('smtpRefusals')) return no('450 later', false, true);
    const refused = refusedOf(message.to, () => faults.strikes('deferredRecipients'));
    const to = message.to.filter((one) => !refused.some(({ address }) => address === one));
    if (to.length === 0) return { ...refusal(refused), refused };
    try {
      await steps.dataStarted(refused);
      await onTheWire();
      await steps.dataEnding();
    } catch (cause) {
      trace.say(pod.name, `hands over nothing: ${String(cause)}`);
      return no('the message was not handed over', false, false);
    }
    await onTheWire();
    take({ ...message, to }, pod.name);
    const isAnswerLost = faults.strikes('lostSmtpAnswers');
    if (isAnswerLost) trace.say(pod.name, `the answer to ${message.operation} is lost`);
    await onTheWire();
    if (faults.strikes('slowSmtpAnswers'))
      await pod.context.clock.sleep(world.chance.between(SLOW_MS.least, SLOW_MS.most));
    if (isAnswerLost) return { outcome: 'unknown', reason: 'the connection was closed' };
    return { outcome: 'accepted', response: '250 taken', serverMessageId: null, refused };
  };
  return { taken, deliverOf: (pod) => (_server, message, steps) => deliver(pod, message, steps) };
}
