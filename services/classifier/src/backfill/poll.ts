import { abortedByAny } from '@postroom/runtime/abort';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import type { Model } from '../model/model.ts';
import type { PendingStore } from '../pending/pending-store.ts';
import type { Worker } from '../pending/worker.ts';
import { inRotation } from '../rotation.ts';
import type { BackfillStore } from './backfill-store.ts';
import { type BatchDeps, workBatch } from './batch.ts';

export type BackfillPollDeps = BatchDeps & {
  jobs: Pick<BackfillStore, 'due' | 'everyWorkspacesNext'>;
  model: Pick<Model, 'availability'>;
  /** The poll of live mail, which comes first. */
  pending: Pick<PendingStore, 'due' | 'everyWorkspacesNext'>;
  worker: Pick<Worker, 'hasRoom' | 'blockedThreads'>;
};

export interface BackfillPoll {
  /** Ends with the signal, when nothing is being worked on. */
  run(closing: AbortSignal): Promise<void>;
  /** Begins a batch of each workspace that has a backfill, as far as there is room. */
  passOnce(closing: AbortSignal): Promise<void>;
  wake(): void;
  /** Resolves when no batch is being worked on. */
  idle(): Promise<void>;
}

/** Batches, and one of a workspace: however many backfills it has, those of others go on. */
const AT_ONCE = 2;
const EVERY_MS = 1_500;
const JITTER_MS = 500;
/** While live mail comes first. */
const HELD_BACK_EVERY_MS = 200;

export function createBackfillPoll(deps: BackfillPollDeps): BackfillPoll {
  const { jobs, model, clock, log } = deps;
  const limit = createFairLimit({ total: AT_ONCE, perOwner: 1 });
  const inHand = new Set<Promise<void>>();
  let last = '';
  let isHeldBack = false;
  let woken = new AbortController();
  const wake = (): void => woken.abort();

  const begin = async (workspaceId: string, closing: AbortSignal): Promise<void> => {
    if (limit.held(workspaceId) > 0) return;
    const job = await jobs.due(workspaceId, clock.date());
    const release = job ? limit.tryAcquire(workspaceId) : undefined;
    if (!job || !release) return;
    last = workspaceId;
    const work = workBatch(deps, job, closing).then((hasAdvanced) => {
      inHand.delete(work);
      release();
      if (hasAdvanced) wake();
    });
    inHand.add(work);
  };

  const passOnce = async (closing: AbortSignal): Promise<void> => {
    isHeldBack = false;
    if (inHand.size >= AT_ONCE || !(await model.availability.check())) return;
    for await (const workspaceId of inRotation(last, (behind) => jobs.everyWorkspacesNext(behind, clock.date()))) {
      isHeldBack = await isLiveMailDue(deps);
      if (isHeldBack) return;
      await begin(workspaceId, closing);
      if (inHand.size >= AT_ONCE || closing.aborted) return;
    }
  };

  const run = async (closing: AbortSignal): Promise<void> => {
    while (!closing.aborted) {
      // Before the pass: a call during the pass leads to another pass.
      woken = new AbortController();
      await passOnce(closing).catch((error: unknown) => {
        if (!closing.aborted) log.warn({ err: error }, 'the poll for backfills failed; the next one tries again');
      });
      const pauseMs = isHeldBack ? HELD_BACK_EVERY_MS : EVERY_MS + (clock.now() % JITTER_MS);
      await abortedByAny([closing, woken.signal], (signal) => clock.sleep(pauseMs, signal)).catch(() => undefined);
    }
    await Promise.all(inHand);
  };

  return { run, passOnce, wake, idle: async () => void (await Promise.all(inHand)) };
}

/** Mail that waits for other mail, of its thread or of its workspace that has its whole share, waits for no backfill. */
async function isLiveMailDue({ pending, worker, clock }: BackfillPollDeps): Promise<boolean> {
  if (!worker.hasRoom()) return true;
  const now = clock.date();
  const by = { now, cameBefore: now };
  for await (const workspaceId of inRotation('', (behind) => pending.everyWorkspacesNext(behind, by))) {
    if (!worker.hasRoom(workspaceId)) continue;
    const due = await pending.due(workspaceId, { ...by, notOf: worker.blockedThreads(workspaceId) }, 1);
    if (due.length > 0) return true;
  }
  return false;
}
