import type { SendDocument } from '@postroom/mail-store/documents/send';
import { createRests } from './rests.ts';
import { beginSend, runSend } from './run-send.ts';
import type { SendDeps } from './send-deps.ts';
import { createTurns, type Leave, type TurnBounds, type Whose } from './turns.ts';
import { startWorker } from './worker.ts';

export interface Sender {
  /** A place for a message that a caller waits for; nothing where none becomes free in that time. */
  turnWithin(whose: Whose, limitMs: number): Promise<Leave | undefined>;
  /** A place for what leaves by itself; nothing while its mailbox has others on the way, rests, or has sent enough. */
  turnNow(whose: Whose): Leave | undefined;
  /**
   * The first attempt of a send that this process has just inserted, and a second where there is time. It goes on when
   * its caller does not wait any more, and gives its place back.
   */
  begin(send: SendDocument, leave: Leave, patienceMs: number): Promise<SendDocument>;
  /** Something may be due sooner than the next look. */
  wake(): void;
  close(): Promise<void>;
}

export interface SenderOptions {
  /** How many that are due are taken up at once, those not counted that have become slow. */
  concurrency: number;
  bounds: TurnBounds;
  /** How many automatic messages of one mailbox leave in a minute. */
  perMinute: number;
  leaseMs: number;
}

type Work = (send: SendDocument) => Promise<SendDocument>;

export function createSender(without: Omit<SendDeps, 'served'>, options: SenderOptions): Sender {
  const { concurrency, bounds, perMinute, leaseMs } = options;
  const { sends, context } = without;
  const { clock } = context;
  const turns = createTurns(bounds, clock);
  const rests = createRests(perMinute, clock);
  const deps: SendDeps = {
    ...without,
    served: ({ mailboxId }, isServed) => rests.note(mailboxId, isServed),
    // What is called off on the way costs its mailbox nothing: a flood of that keeps up no mail that may leave.
    serverOf: (send) => {
      if (send.kind !== 'send') rests.count(send.mailboxId);
      return without.serverOf(send);
    },
  };
  const begun = new Set<Promise<unknown>>();
  const held = holding(deps, leaseMs);

  const turnNow = (whose: Whose): Leave | undefined => {
    if (rests.resting().includes(whose.mailboxId)) return undefined;
    return turns.take(whose);
  };
  const excepted = () => {
    const { mailboxIds, workspaceIds } = turns.atTheirBound();
    return { mailboxIds: [...mailboxIds, ...rests.resting()], workspaceIds };
  };
  const worker = startWorker({
    sends,
    run: (send) => held(send, (one) => runSend(one, deps)),
    places: { turnNow, excepted, present: turns.present, isFull: turns.isFull },
    concurrency,
    leaseMs,
    context,
  });

  return {
    turnWithin: turns.wait,
    turnNow,
    begin: (send, leave, patienceMs) => {
      const work: Work = (one) => beginSend(one, deps, clock.now() + patienceMs);
      const running = held(send, work).finally(() => {
        leave();
        begun.delete(running);
      });
      begun.add(running);
      return running;
    },
    wake: () => worker.wake(),
    close: async () => {
      await Promise.all([worker.close(), Promise.allSettled(begun)]);
    },
  };
}

/** Says again and again that somebody works on a send, until the work is over. */
function holding({ sends, context: { clock, log, tracing } }: SendDeps, leaseMs: number) {
  return async (send: SendDocument, work: Work): Promise<SendDocument> => {
    const over = new AbortController();
    const saying = (async () => {
      while (!over.signal.aborted) {
        await clock.sleep(leaseMs / 3, over.signal);
        await sends.extend(send.workspaceId, send, new Date(clock.now() + leaseMs)).catch((error: unknown) => {
          log.warn({ err: error, sendId: send._id }, 'could not say that a send is worked on');
        });
      }
    })().catch(() => undefined);
    try {
      const { kind, traceparent } = send;
      return await tracing.withSpan('send', { 'postroom.kind': kind }, traceparent, () => work(send));
    } finally {
      over.abort();
      await saying;
    }
  };
}
