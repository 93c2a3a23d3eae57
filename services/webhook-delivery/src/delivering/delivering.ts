import { setMaxListeners } from 'node:events';
import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Client } from '@postroom/rpc/definition';
import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import { within } from '@postroom/runtime/within';
import { type AttemptDeps, createAttempt } from './attempt.ts';
import { createMakeAttempts, type MakeAttemptsDeps, Stopped } from './make-attempts.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { createDeliverChanges, type DeliverChangesDeps } from './deliver-changes.ts';
import { createPacing, type PacedEndpoint } from './pacing.ts';
import type { KnownEndpoint, ProgressStore } from './progress-store.ts';
import { createCoalescedTasks } from './coalesced-tasks.ts';
import { createNoteDue, createDueAttempts } from './due-attempts.ts';
import { createWatchers } from './watchers.ts';

export { ANNOUNCED, type RetryPlan } from './schedule.ts';

export interface DeliveringDeps
  extends
    Omit<AttemptDeps, 'context' | 'pacing'>,
    Pick<MakeAttemptsDeps, 'plan' | 'isMine'>,
    Pick<DeliverChangesDeps, 'newDelivery'> {
  context: ServiceContext;
  progress: ProgressStore;
  changes: Pick<Client<ChangesServiceDefinition>, 'listChanges' | 'watchChanges'>;
}

const TICK_MS = 500;
const SCAN_MS = 60_000;
/** An attempt that takes longer at the end is cut off, and made again by the next process. */
const LAST_MS = 2_000;

/** The work for one endpoint: its new changes, and its deliveries that wait. */
function createWork(
  deps: DeliveringDeps,
  endpoints: Endpoints,
  headOf: (workspaceId: string) => number,
  signal: AbortSignal,
) {
  const { progress, context } = deps;
  const { clock } = context;
  const tasks = createCoalescedTasks(context, signal);
  const onDue: MakeAttemptsDeps['onDue'] = (webhookId, at) => endpoints.raiseDue(webhookId, at);
  const pacing = createPacing(clock);
  const deliver = createMakeAttempts({ ...deps, attempt: createAttempt({ ...deps, pacing }), pacing, onDue });
  const attemptDue = createDueAttempts({ progress, deliver, clock });
  const noteDue = createNoteDue({ progress });
  const beginRetries = ({ workspaceId, _id: webhookId }: PacedEndpoint): void =>
    tasks.run(`${webhookId} retries`, () => attemptDue(workspaceId, webhookId, 'retry', signal));
  const retriesOver = ({ _id }: PacedEndpoint): Promise<void> => tasks.ended(`${_id} retries`);
  /** Retries and replays side by side, then the time of the next one. Replays may be thousands, and more retries get due. */
  const attend = (endpoint: PacedEndpoint): void => {
    const { workspaceId, _id: webhookId } = endpoint;
    tasks.run(`${webhookId} waiting`, async () => {
      await pacing.beforeReads(endpoint, signal);
      await attemptDue(workspaceId, webhookId, 'replay', signal, () => beginRetries(endpoint));
      await retriesOver(endpoint);
      endpoints.setDue(webhookId, await noteDue(workspaceId, webhookId));
    });
  };
  const retry: DeliverChangesDeps['retry'] = (webhook) => {
    beginRetries(webhook);
    return retriesOver(webhook);
  };
  const deliverChanges = createDeliverChanges({ ...deps, deliver, clock, retry });
  const following = rememberStopped(async (endpoint) => {
    const { workspaceId, _id: webhookId } = endpoint;
    await pacing.beforeReads(endpoint, signal);
    await deliverChanges(workspaceId, webhookId, () => headOf(workspaceId), signal);
  });
  return {
    over: tasks.over,
    forget: (webhookId: string): void => {
      for (const part of [deliver, pacing, following]) part.forget(webhookId);
    },
    stopped: following.stopped,
    follow: (endpoint: PacedEndpoint): void => tasks.run(`${endpoint._id} first`, () => following.run(endpoint)),
    attend,
    isAttended: ({ _id }: KnownEndpoint): boolean => tasks.isRunning(`${_id} waiting`),
  };
}

/** Remembers the endpoints whose changes stopped in the middle, because no watcher tells of these changes again. */
function rememberStopped(run: (endpoint: PacedEndpoint) => Promise<void>) {
  const stopped = new Map<string, PacedEndpoint>();
  return {
    stopped: (): PacedEndpoint[] => [...stopped.values()],
    forget: (webhookId: string): void => void stopped.delete(webhookId),
    run: async (endpoint: PacedEndpoint): Promise<void> => {
      stopped.delete(endpoint._id);
      try {
        await run(endpoint);
      } catch (error) {
        if (error instanceof Stopped) stopped.set(endpoint._id, endpoint);
        throw error;
      }
    },
  };
}

/** Delivers the changes of every workspace that is this process's own. */
export async function startDelivering(deps: DeliveringDeps) {
  const { progress, changes, isMine, context } = deps;
  const { clock, log } = context;
  const closing = new AbortController();
  const { signal } = closing;
  // Every attempt and every call in flight listens to it.
  setMaxListeners(0, signal);
  const endpoints = createEndpoints(progress, clock, (webhookId) => work.forget(webhookId));
  const work = createWork(deps, endpoints, (workspaceId) => watchers.headOf(workspaceId), signal);
  const watchers = createWatchers({ changes, progress, follow: work.follow, context, signal });

  const tick = async (): Promise<void> => {
    for (const touched of await endpoints.touched()) {
      if (!isMine(touched.workspaceId)) continue;
      work.follow(touched);
      work.attend(touched);
    }
    for (const endpoint of endpoints.due(clock.now()))
      if (!work.isAttended(endpoint) && isMine(endpoint.workspaceId)) work.attend(endpoint);
    for (const endpoint of work.stopped()) if (isMine(endpoint.workspaceId)) work.follow(endpoint);
    watchers.keep(endpoints.watched().filter(isMine));
  };

  await endpoints.scan();
  const timing = { clock, log };
  const loops = [
    repeat(tick, { name: 'the poll for due deliveries', everyMs: TICK_MS, ...timing }),
    repeat(endpoints.scan, { name: 'the scan of webhooks', everyMs: SCAN_MS, firstAfterMs: SCAN_MS, ...timing }),
  ];
  return {
    readings: () => endpoints.readings(isMine),
    close: async (): Promise<void> => {
      await Promise.all(loops.map((loop) => loop.close()));
      watchers.close();
      // Nothing new begins. Attempts in flight have a moment to end and to be recorded.
      closing.abort(new Error('closing'));
      await within({ ms: LAST_MS, clock }, () => work.over()).catch(() => undefined);
    },
  };
}
