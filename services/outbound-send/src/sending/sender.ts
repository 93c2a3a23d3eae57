import type { SendDocument } from '@postroom/mail-store/documents/send';
import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import {
  createSendPermits,
  type SendPermitOptions,
  type SendPermit,
  type PermitOwner,
  type PermitStore,
} from '../send-permits/send-permits.ts';
import { beginSend, runSend } from './run-send.ts';
import type { SendDeps } from './send-deps.ts';
import { startSendWorker } from './worker.ts';

export interface Sender {
  /** A permit for a message that a caller waits for; nothing when none becomes free in that time. */
  permitWithin(whose: PermitOwner, limitMs: number): Promise<SendPermit | undefined>;
  /**
   * The first attempt of a send that this process has just inserted, and a second one if there is time. It continues
   * when its caller no longer waits, and then releases its permit.
   */
  begin(send: SendDocument, permit: SendPermit, patienceMs: number): Promise<SendDocument>;
  /** Wakes the worker, because a send may be due before its next poll. */
  wake(): void;
  close(): Promise<void>;
}

export interface SenderOptions extends SendPermitOptions {
  /** The number of due sends that are taken up at once. Sends that have become slow do not count. */
  concurrency: number;
  leaseMs: number;
}

export interface SenderDeps extends Omit<SendDeps, 'served'> {
  permits: PermitStore;
  context: Pick<ServiceContext, 'clock' | 'ids' | 'log' | 'tracing'>;
}

type Work = (send: SendDocument, deps: SendDeps) => Promise<SendDocument>;

export function createSender({ permits: store, ...without }: SenderDeps, options: SenderOptions): Sender {
  const { concurrency, leaseMs } = options;
  const { sends, context } = without;
  const permits = createSendPermits({ store, context, leaseMs }, options);
  const begun = new Set<Promise<unknown>>();

  const held = holding(without, leaseMs);
  const worker = startSendWorker({
    sends,
    run: (send, permit) => held(send, permit, runSend),
    permits,
    concurrency,
    leaseMs,
    context,
  });

  return {
    permitWithin: permits.within,
    begin: (send, permit, patienceMs) => {
      const patientUntil = context.clock.now() + patienceMs;
      const running = held(send, permit, (one, deps) => beginSend(one, deps, patientUntil));
      const over = running.then(permit.leave, permit.leave).finally(() => begun.delete(over));
      begun.add(over);
      return running;
    },
    wake: () => worker.wake(),
    close: async () => {
      await Promise.all([worker.close(), Promise.allSettled(begun)]);
    },
  };
}

/** Renews the lease of a send and its permit until the work ends. */
function holding(without: Omit<SendDeps, 'served'>, leaseMs: number) {
  const { sends, context } = without;
  const { clock, log, tracing } = context;
  return async (send: SendDocument, permit: SendPermit, work: Work): Promise<SendDocument> => {
    const deps: SendDeps = {
      ...without,
      served: permit.note,
      // A send that is canceled before this step uses no pace, so that many of them do not delay other mail.
      serverOf: (one) => {
        permit.use();
        return without.serverOf(one);
      },
    };
    const extend = async () => {
      const longer = new Date(clock.now() + leaseMs);
      await Promise.all([sends.extend(send.workspaceId, send, longer), permit.extend()]);
    };
    const everyMs = leaseMs / 3;
    const sendLog = log.child({ sendId: send._id });
    const extending = repeat(extend, {
      name: 'the renewal of a send',
      everyMs,
      firstAfterMs: everyMs,
      clock,
      log: sendLog,
    });
    try {
      const { kind, traceparent } = send;
      return await tracing.withSpan('send', { 'postroom.kind': kind }, traceparent, () => work(send, deps));
    } finally {
      await extending.close();
    }
  };
}
