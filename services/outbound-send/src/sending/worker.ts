import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SendStore } from '../send-store.ts';

export interface Worker {
  /** Something is due sooner than the next look. */
  wake(): void;
  close(): Promise<void>;
}

export interface WorkerDeps {
  sends: Pick<SendStore, 'claimDue'>;
  run(send: SendDocument): Promise<unknown>;
  /** How many sends are taken up at once. */
  concurrency: number;
  leaseMs: number;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

/** A mail server that takes its time holds up the mailboxes behind it, and no others. */
const AT_ONCE_PER_MAILBOX = 4;
const REST_MS = 1_000;
const REST_AFTER_FAILURE_MS = 5_000;

/** Takes up what is due: replies whose time has come, what a dead process left, outcomes that are unknown. */
export function startWorker({ sends, run, concurrency, leaseMs, context }: WorkerDeps): Worker {
  const { clock, log } = context;
  const underWay = new Map<Promise<unknown>, string>();
  let closed = false;
  let rest = new AbortController();

  const busy = (): string[] => {
    const counts = new Map<string, number>();
    for (const mailboxId of underWay.values()) counts.set(mailboxId, (counts.get(mailboxId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= AT_ONCE_PER_MAILBOX).map(([mailboxId]) => mailboxId);
  };
  const takeUp = async (): Promise<boolean> => {
    const send = await sends.claimDue(clock.date(), new Date(clock.now() + leaseMs), busy());
    if (!send) return false;
    const running = run(send)
      .catch((error: unknown) => log.error({ err: error, sendId: send._id }, 'a send is taken up again later'))
      .finally(() => {
        underWay.delete(running);
        rest.abort();
      });
    underWay.set(running, send.mailboxId);
    return true;
  };
  /** How long to rest now. */
  const round = async (): Promise<number> => {
    try {
      while (!closed && underWay.size < concurrency && (await takeUp()));
      if (underWay.size < concurrency) return REST_MS;
      await Promise.race(underWay.keys());
      return 0;
    } catch (error) {
      log.error({ err: error }, 'could not look for sends that are due');
      return REST_AFTER_FAILURE_MS;
    }
  };
  const loop = async (): Promise<void> => {
    while (!closed) {
      // Before the round: whoever wakes it in the middle shortens the rest behind it.
      rest = new AbortController();
      await clock.sleep(await round(), rest.signal).catch(() => undefined);
    }
  };
  const running = loop();

  return {
    wake: () => rest.abort(),
    close: async () => {
      closed = true;
      rest.abort();
      await running;
      await Promise.allSettled(underWay.keys());
    },
  };
}
