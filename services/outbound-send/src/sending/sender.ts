import type { SendDocument } from '@postroom/mail-store/documents/send';
import { beginSend, runSend, type SendDeps } from './run-send.ts';
import { startWorker } from './worker.ts';

export interface Sender {
  /** The first attempt of a send that this process has just inserted. It goes on when its caller does not wait any more. */
  begin(send: SendDocument): Promise<SendDocument>;
  /** Something may be due sooner than the next look. */
  wake(): void;
  close(): Promise<void>;
}

interface Options {
  concurrency: number;
  leaseMs: number;
}

type Work = (send: SendDocument, deps: SendDeps) => Promise<SendDocument>;

export function createSender(deps: SendDeps, { concurrency, leaseMs }: Options): Sender {
  const { sends, context } = deps;
  const { clock, log } = context;
  const begun = new Set<Promise<unknown>>();

  /** Says again and again that somebody works on it, until the work is over. */
  const held = async (send: SendDocument, work: Work): Promise<SendDocument> => {
    const over = new AbortController();
    const holding = (async () => {
      while (!over.signal.aborted) {
        await clock.sleep(leaseMs / 3, over.signal);
        await sends.extend(send.workspaceId, send, new Date(clock.now() + leaseMs)).catch((error: unknown) => {
          log.warn({ err: error, sendId: send._id }, 'could not say that a send is worked on');
        });
      }
    })().catch(() => undefined);
    try {
      return await work(send, deps);
    } finally {
      over.abort();
      await holding;
    }
  };
  const worker = startWorker({ sends, run: (send) => held(send, runSend), concurrency, leaseMs, context });

  return {
    begin: (send) => {
      const running = held(send, beginSend).finally(() => begun.delete(running));
      begun.add(running);
      return running;
    },
    wake: () => worker.wake(),
    close: async () => {
      await Promise.all([worker.close(), Promise.allSettled(begun)]);
    },
  };
}
