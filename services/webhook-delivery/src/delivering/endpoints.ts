import type { Clock } from '@postroom/runtime/clock';
import type { KnownEndpoint, ProgressStore } from './progress-store.ts';
import { isDueAt } from './schedule.ts';

/** Clocks of other processes may be so much behind, and a write may take so long. */
const SLACK_MS = 10_000;

export type Endpoints = ReturnType<typeof createEndpoints>;

/** The endpoints of all workspaces, as far as a process that delivers has to know them. */
export function createEndpoints(
  progress: Pick<ProgressStore, 'everyEndpoint' | 'everyTouched'>,
  clock: Pick<Clock, 'now'>,
  forget: (webhookId: string) => void,
) {
  const known = new Map<string, KnownEndpoint>();
  let polledAt = clock.now();
  const keepOnly = createRemoval(known, forget);

  return {
    /** Reads all of them, and forgets those that are gone. */
    async scan(): Promise<void> {
      const isFirst = known.size === 0;
      const recent = polledAt - SLACK_MS;
      const all = await readAll(progress);
      for (const endpoint of all) {
        const touchedAt = endpoint.touchedAt.getTime();
        const isNews = known.get(endpoint._id)?.touchedAt.getTime() !== touchedAt && touchedAt > recent;
        // The next poll tells of it.
        if (isFirst || !isNews) known.set(endpoint._id, endpoint);
      }
      keepOnly(new Set(all.map(({ _id }) => _id)));
    },

    /** Those that their owners changed, or that got something due, since the last call. */
    async touched(): Promise<KnownEndpoint[]> {
      const now = clock.now();
      const found = await progress.everyTouched(new Date(polledAt - SLACK_MS));
      polledAt = now;
      const news = found.filter((one) => known.get(one._id)?.touchedAt.getTime() !== one.touchedAt.getTime());
      for (const endpoint of news) known.set(endpoint._id, endpoint);
      return news;
    },

    /** Something became due at this time, or earlier. */
    raiseDue: (webhookId: string, at: Date): void => {
      const endpoint = known.get(webhookId);
      if (endpoint && (!endpoint.dueAt || endpoint.dueAt > at)) known.set(webhookId, { ...endpoint, dueAt: at });
    },

    setDue: (webhookId: string, dueAt: Date | null): void => {
      const endpoint = known.get(webhookId);
      if (endpoint) known.set(webhookId, { ...endpoint, dueAt });
    },

    ...selections(known, clock),
  };
}

/** Removes all other endpoints. */
function createRemoval(known: Map<string, KnownEndpoint>, forget: (webhookId: string) => void) {
  let gone: string[] = [];
  return (ids: ReadonlySet<string>): void => {
    // Once more for those of the call before: an attempt that was under way may have noted something since.
    for (const id of gone) forget(id);
    gone = [...known.keys()].filter((id) => !ids.has(id));
    for (const id of gone) {
      known.delete(id);
      forget(id);
    }
  };
}

function selections(known: ReadonlyMap<string, KnownEndpoint>, clock: Pick<Clock, 'now'>) {
  return {
    due: (now: number): KnownEndpoint[] => [...known.values()].filter(({ dueAt }) => isDueAt(dueAt, now)),

    /** The workspaces with endpoints that are enabled. */
    watched: (): string[] => {
      const enabled = [...known.values()].filter(({ status }) => status === 'enabled');
      return [...new Set(enabled.map(({ workspaceId }) => workspaceId))];
    },

    readings: (isMine: (workspaceId: string) => boolean) =>
      readingsOf(
        [...known.values()].filter(({ workspaceId }) => isMine(workspaceId)),
        clock.now(),
      ),
  };
}

async function readAll({ everyEndpoint }: Pick<ProgressStore, 'everyEndpoint'>): Promise<KnownEndpoint[]> {
  const all: KnownEndpoint[] = [];
  for (;;) {
    const page = await everyEndpoint(all.at(-1)?._id ?? '');
    if (page.length === 0) return all;
    all.push(...page);
  }
}

function readingsOf(endpoints: readonly KnownEndpoint[], now: number) {
  // One that hangs has due deliveries for as long as it hangs, and that is for its owner to mend.
  const answering = endpoints.filter(({ status, failingSince }) => status === 'enabled' && failingSince === null);
  const waited = answering.flatMap(({ dueAt }) => (dueAt ? now - dueAt.getTime() : []));
  return {
    oldestDueMs: waited.reduce((oldest, ms) => Math.max(oldest, ms), 0),
    failing: endpoints.filter(({ status, failingSince }) => status === 'enabled' && failingSince !== null).length,
    disabled: endpoints.filter(({ status }) => status === 'disabled').length,
  };
}
