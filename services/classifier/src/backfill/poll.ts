import { createFairLimit } from '@postroom/runtime/fair-limit';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import { type Repeating, repeat } from '@postroom/runtime/repeat';
import type { Model } from '../model/model.ts';
import type { UnclassifiedStore } from '../pending/pending-store.ts';
import { isLiveMailDue } from '../pending/poll.ts';
import type { ClassifyWorker } from '../pending/worker.ts';
import { inRotation } from '../classify/rotation.ts';
import type { RunnableBackfillStore } from './backfill-store.ts';
import { type BatchDeps, workBatch } from './batch.ts';

export type BackfillPollDeps = BatchDeps & {
  jobs: Pick<RunnableBackfillStore, 'due' | 'everyWorkspacesNext'>;
  model: Pick<Model, 'availability'>;
  /** The poll of live mail, which comes first. */
  pending: Pick<UnclassifiedStore, 'due' | 'everyWorkspacesNext'>;
  worker: Pick<ClassifyWorker, 'hasCapacity' | 'blockedThreads'>;
};

interface BackfillPoll {
  start(): void;
  /** Begins a batch of each workspace that has a backfill, as far as there is room. */
  passOnce(closing: AbortSignal): Promise<void>;
  wake(): void;
  /** Resolves when no batch is being worked on. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Batches, and one of a workspace: however many backfills it has, those of others go on. */
const AT_ONCE = 3;
/** However many workspaces have mail that the model is slow on, the backfills of others find a permit. */
const SLOW_AT_ONCE = 2;
/** A batch that takes longer makes its workspace a slow one, until a batch takes less. */
const SLOW_MS = 5_000;
const MOST_SLOW = 1_000;
/** Slow workspaces without a permit that one pass goes past. */
const MOST_PASSED_OVER = 50;
const EVERY_MS = 1_500;
const JITTER_MS = 500;
/** While live mail comes first. */
const HELD_BACK_EVERY_MS = 200;

export function createBackfillPoll(deps: BackfillPollDeps): BackfillPoll {
  const { jobs, model, clock, log } = deps;
  const permits = createPermits();
  const inHand = new Set<Promise<void>>();
  let last = '';
  let isHeldBack = false;
  let polling: Repeating | undefined;
  const wake = (): void => polling?.wake();
  const idle = async (): Promise<void> => void (await Promise.all(inHand));

  /** Whether the workspace had a permit. */
  const begin = async (workspaceId: string, closing: AbortSignal): Promise<boolean> => {
    const release = permits.tryAcquire(workspaceId);
    if (!release) return false;
    const begun = clock.now();
    const job = await jobs.due(workspaceId, clock.date());
    if (!job) return (release(), true);
    const work = workBatch(deps, job, closing).then((hasAdvanced) => {
      inHand.delete(work);
      release(clock.now() - begun);
      if (hasAdvanced) wake();
    });
    return (inHand.add(work), true);
  };

  const passOnce = async (closing: AbortSignal): Promise<void> => {
    isHeldBack = false;
    if (inHand.size >= AT_ONCE || !(await model.availability.check())) return;
    let passedOver = 0;
    for await (const workspaceId of inRotation(last, (behind) => jobs.everyWorkspacesNext(behind, clock.date()))) {
      isHeldBack = await isLiveMailDue(deps);
      if (isHeldBack) return;
      if (!(await begin(workspaceId, closing))) passedOver += 1;
      last = workspaceId;
      if (inHand.size >= AT_ONCE || passedOver >= MOST_PASSED_OVER || closing.aborted) return;
    }
  };

  const pauseMs = () => (isHeldBack ? HELD_BACK_EVERY_MS : EVERY_MS + (clock.now() % JITTER_MS));
  const poll = (closing: AbortSignal): Promise<number> => passOnce(closing).then(pauseMs);

  return {
    start: () => void (polling ??= repeat(poll, { name: 'the poll for backfills', everyMs: EVERY_MS, clock, log })),
    passOnce,
    wake,
    idle,
    close: async () => {
      await polling?.close();
      await idle();
    },
  };
}

/** Workspaces whose last batch was slow share some of the permits. */
function createPermits() {
  const all = createFairLimit({ total: AT_ONCE, perOwner: 1 });
  const slowOnes = createFairLimit({ total: SLOW_AT_ONCE });
  const slow = createRecentIds(MOST_SLOW);
  const note = (workspaceId: string, tookMs: number): void => {
    if (tookMs > SLOW_MS) slow.add(workspaceId);
    else slow.delete(workspaceId);
  };
  return {
    tryAcquire: (workspaceId: string) => {
      const releaseSlow = slow.has(workspaceId) ? slowOnes.tryAcquire(workspaceId) : () => undefined;
      const release = releaseSlow && all.tryAcquire(workspaceId);
      if (!release) return releaseSlow?.();
      return (tookMs?: number): void => {
        release();
        releaseSlow();
        if (tookMs !== undefined) note(workspaceId, tookMs);
      };
    },
  };
}
