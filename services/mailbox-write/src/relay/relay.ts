import { BATCH, createBacklog } from './backlog.ts';
import type { Owing } from './owed-store.ts';
import { publishOwed, type PublishDeps } from './publish-owed.ts';

export type { Step } from './publish-owed.ts';

export interface Relay {
  /** There is something to publish: of these emails, or anywhere. Returns at once. */
  poke(emailIds?: readonly string[]): void;
  /** The same for emails that were just written, which need not be read again. */
  hand(written: readonly Owing[]): void;
  /** Publishes everything that is owed now. For tests and for closing. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface RelayDeps extends PublishDeps {
  sweepMs?: number;
}

const SWEEP_MS = 5_000;
/** Younger events are left to the process that wrote them: it was told, and is publishing them now. */
const GRACE_MS = 2_000;

/**
 * Publishes owed events, then takes them off their emails. Stopped anywhere in between it publishes them again, under
 * the same ids; several processes at once do no more harm than that. A sweep finds what nobody was told of.
 */
export function createRelay(deps: RelayDeps): Relay {
  const { store, context, sweepMs = SWEEP_MS } = deps;
  const stop = new AbortController();
  const backlog = createBacklog(store);
  let running: Promise<void> | undefined;

  const workOff = async (): Promise<void> => {
    try {
      while (!backlog.isEmpty()) {
        const next = await backlog.take();
        await (next === 'everything' ? publishEverything(deps, 0) : publishOwed(deps, next));
      }
    } finally {
      // After a failure the sweep takes over, from what the database says.
      backlog.forget();
    }
  };
  const run = (): Promise<void> => {
    // Cleared a turn later, never within the call itself: with nothing to do that would come before the assignment.
    running ??= workOff().finally(() => {
      running = undefined;
      wake();
    });
    return running;
  };
  const runQuietly = () =>
    run().catch((error: unknown) => context.log.warn({ err: error }, 'owed events stay for the sweep'));
  // A turn later, so that the words of one busy moment become one batch.
  const wake = () => {
    if (!running && !stop.signal.aborted && !backlog.isEmpty()) setImmediate(() => void runQuietly());
  };

  const sweeping = sweep(deps, stop.signal, sweepMs);
  return {
    poke: (emailIds) => {
      if (emailIds) backlog.name(emailIds);
      else backlog.everything();
      wake();
    },
    hand: (written) => {
      backlog.hand(written);
      wake();
    },
    drain: async () => {
      backlog.everything();
      await run();
    },
    close: async () => {
      stop.abort();
      await Promise.allSettled([sweeping, running]);
    },
  };
}

async function sweep(deps: RelayDeps, signal: AbortSignal, everyMs: number): Promise<void> {
  const { clock, log } = deps.context;
  while (!signal.aborted) {
    try {
      await clock.sleep(everyMs, signal);
      await publishEverything(deps, GRACE_MS);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the sweep for owed events failed; the next one tries again');
    }
  }
}

async function publishEverything(deps: RelayDeps, graceMs: number): Promise<void> {
  const before = deps.context.clock.now() - graceMs;
  for (;;) {
    const found = await deps.store.everyWorkspaces(BATCH);
    const ripe = found.filter(({ owed }) => owed.every(({ occurredAt }) => occurredAt.getTime() <= before));
    if (ripe.length > 0) await publishOwed(deps, ripe);
    // A batch of young ones only is somebody else's work; it is looked at again when the next sweep comes.
    if (found.length < BATCH || ripe.length === 0) return;
  }
}
