import type { Bus, Consumer } from '@postroom/events/bus';
import { consumeEvents } from '@postroom/events/consume-events';
import {
  conversationOf,
  createOnEmailReceived,
  type ReceivedDeps,
} from '../../../services/classifier/src/on-email-received.ts';

interface Options {
  bus: Bus;
  deps: ReceivedDeps;
  /** How many there are at any time. */
  count: number;
  /** At how many of its steps a classifier dies. */
  share: number;
  random: () => number;
}

/** They are closed here, one by one. */
const ownLifecycle = { lifecycle: { add: () => undefined } };

export interface MortalClassifiers {
  kills(): number;
  /** From now on nobody dies. */
  spare(): void;
  close(): Promise<void>;
}

/**
 * Classifiers that die in the middle of their work, as processes do: before a call, or after it with its answer unheard.
 * Whatever one had in hand fails at its next step and is given to the others; a new one takes its place.
 */
export async function startMortalClassifiers(options: Options): Promise<MortalClassifiers> {
  const consumers = new Set<Promise<Consumer>>();
  let { share } = options;
  let kills = 0;

  const start = (): Promise<Consumer> => {
    let isAlive = true;
    let own: Consumer | undefined;
    const die = () => {
      isAlive = false;
      kills += 1;
      void start();
      // The group hears of it at once; what this one holds ends with the error below.
      void own?.close();
      consumers.delete(opening);
    };
    const step = () => {
      if (isAlive && own && options.random() < share) die();
      if (!isAlive) throw new Error('killed');
    };
    const opening = consumeEvents(
      options.bus,
      { ...ownLifecycle, clock: options.deps.clock },
      {
        group: 'classifier',
        type: 'email.received',
        concurrency: 16,
        orderBy: conversationOf,
        handle: createOnEmailReceived(mortal(options.deps, step)),
      },
    );
    consumers.add(opening);
    void opening.then((consumer) => (own = consumer));
    return opening;
  };

  for (let n = 0; n < options.count; n++) await start();
  return {
    kills: () => kills,
    spare: () => void (share = 0),
    close: async () => {
      await Promise.all([...consumers].map(async (consumer) => (await consumer).close()));
    },
  };
}

/** Each call is two steps: nothing is done yet, and it is done and nobody has heard. */
function mortal({ mail, rulesOf, model, mailboxWrite, outboundSend, clock }: ReceivedDeps, step: () => void) {
  const watched = <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) => {
    return async (...args: Args): Promise<Answer> => {
      step();
      const answer = await call(...args);
      step();
      return answer;
    };
  };
  return {
    clock,
    mail: { find: watched(mail.find), waitingBefore: watched(mail.waitingBefore) },
    rulesOf: watched(rulesOf),
    model: { judge: watched(model.judge), reply: watched(model.reply) },
    mailboxWrite: {
      keepVerdicts: watched(mailboxWrite.keepVerdicts),
      recordClassification: watched(mailboxWrite.recordClassification),
    },
    outboundSend: { scheduleReply: watched(outboundSend.scheduleReply) },
  };
}
