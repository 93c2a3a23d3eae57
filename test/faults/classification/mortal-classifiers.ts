import type { Bus, Consumer } from '@postroom/events/bus';
import { memoryDeadLetters } from '@postroom/events/memory-dead-letters.test-support';
import { consumeEvents } from '@postroom/events/consume-events';
import { conversationOf, createOnEmailReceived } from '../../../services/classifier/src/pending/on-email-received.ts';
import type { UnclassifiedStore } from '../../../services/classifier/src/pending/pending-store.ts';
import { pollPending } from '../../../services/classifier/src/pending/poll.ts';
import { createWorker, type ClassifyWorkerDeps } from '../../../services/classifier/src/pending/worker.ts';

type Deps = ClassifyWorkerDeps & { pending: UnclassifiedStore };

interface Options {
  bus: Bus;
  deps: Deps;
  /** The number of classifiers that run at any time. */
  count: number;
  /** The share of its steps at which a classifier dies. */
  share: number;
  random: () => number;
}

const AT_ONCE = 16;

/** They are closed here, one by one. */
const ownLifecycle = { lifecycle: { add: () => undefined } };

export interface MortalClassifiers {
  kills(): number;
  /** From now on no classifier dies. */
  spare(): void;
  close(): Promise<void>;
}

/**
 * Classifiers die in the middle of their work, as processes do: before a call, or after it without its answer. The
 * open work of a dead classifier fails at its next step and goes to the others, and a new classifier replaces it.
 */
export async function startMortalClassifiers(options: Options): Promise<MortalClassifiers> {
  const consumers = new Set<Promise<Consumer>>();
  const polls = new Set<Promise<void>>();
  const closing = new AbortController();
  let { share } = options;
  let kills = 0;

  const start = (): Promise<Consumer> => {
    const death = new AbortController();
    let own: Consumer | undefined;
    const die = () => {
      death.abort(new Error('killed'));
      kills += 1;
      void start();
      // The consumer group learns of it at once. The open work of this classifier ends with the error below.
      void own?.close();
      consumers.delete(opening);
    };
    const step = (open: number) => {
      // A process that dies with one email in hand may have died of it, and five such deaths quarantine the email.
      if (!death.signal.aborted && own && open > 1 && options.random() < share) die();
      death.signal.throwIfAborted();
    };
    const deps = mortal(options.deps, step);
    const { pending, model, rulesOf, clock, log } = deps;
    const worker = createWorker(deps, AT_ONCE);
    const opening = consumeEvents(
      options.bus,
      { ...ownLifecycle, clock },
      {
        group: 'classifier',
        type: 'email.received',
        deadLetters: memoryDeadLetters(),
        concurrency: AT_ONCE,
        orderBy: conversationOf,
        handle: createOnEmailReceived({ worker, model, rulesOf }),
      },
    );
    const poll = pollPending({ pending, worker, model, rulesOf, clock, log });
    const ended = AbortSignal.any([death.signal, closing.signal]);
    polls.add(new Promise((resolve) => ended.addEventListener('abort', () => resolve(poll.close()), { once: true })));
    consumers.add(opening);
    void opening.then((consumer) => (own = consumer));
    return opening;
  };

  for (let n = 0; n < options.count; n++) await start();
  return {
    kills: () => kills,
    spare: () => void (share = 0),
    close: async () => {
      closing.abort(new Error('closing'));
      await Promise.all([...consumers].map(async (consumer) => (await consumer).close()));
      await Promise.all(polls);
    },
  };
}

/** Each call has two steps: before the call, and after it but before its answer. */
function mortal(deps: Deps, step: (open: number) => void): Deps {
  let open = 0;
  const watched = <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) => {
    return async (...args: Args): Promise<Answer> => {
      open += 1;
      try {
        step(open);
        const answer = await call(...args);
        step(open);
        return answer;
      } finally {
        open -= 1;
      }
    };
  };
  const { mail, correspondence, pending, rulesOf, model, mailboxWrite, outboundSend } = deps;
  return {
    ...deps,
    mail: { body: watched(mail.body) },
    correspondence: {
      hasWrittenToSender: watched(correspondence.hasWrittenToSender),
      contextOf: watched(correspondence.contextOf),
    },
    // The poll runs every other second, and no classifier dies of it.
    pending: { ...pending, inThread: watched(pending.inThread) },
    rulesOf: watched(rulesOf),
    model: { availability: model.availability, judge: watched(model.judge), reply: watched(model.reply) },
    mailboxWrite: {
      postponeClassification: watched(mailboxWrite.postponeClassification),
      keepVerdicts: watched(mailboxWrite.keepVerdicts),
      recordClassification: watched(mailboxWrite.recordClassification),
    },
    outboundSend: { scheduleReply: watched(outboundSend.scheduleReply) },
  };
}
