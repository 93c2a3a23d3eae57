import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Client } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { PacedEndpoint } from './pacing.ts';
import type { ProgressStore } from './progress-store.ts';

interface WatchersDeps {
  changes: Pick<Client<ChangesServiceDefinition>, 'watchChanges'>;
  progress: Pick<ProgressStore, 'list'>;
  follow: (endpoint: PacedEndpoint) => void;
  context: Pick<ServiceContext, 'clock' | 'log'>;
  signal: AbortSignal;
}

interface Watcher {
  stop: () => void;
  head: number;
}

/** So an idle workspace costs one call in four minutes. */
const WAIT_MS = 240_000;
const GRACE_MS = 10_000;
const PAUSE_MS = 1_000;

/** One waiting call for each workspace with endpoints; what it tells of wakes them. */
export function createWatchers(deps: WatchersDeps) {
  const { clock, log } = deps.context;
  const watchers = new Map<string, Watcher>();

  const start = (workspaceId: string): void => {
    const stopping = new AbortController();
    const watcher: Watcher = { stop: () => stopping.abort(new Error('not watched any more')), head: 0 };
    watchers.set(workspaceId, watcher);
    const run = async (): Promise<void> => {
      try {
        await watch(workspaceId, watcher, stopping.signal, deps);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error }, 'the wait for changes of a workspace failed; it begins again');
        await clock.sleep(PAUSE_MS, stopping.signal).catch(() => undefined);
      } finally {
        // The next tick begins anew where it is still wanted.
        if (watchers.get(workspaceId) === watcher) watchers.delete(workspaceId);
      }
    };
    void run();
  };

  return {
    headOf: (workspaceId: string): number => watchers.get(workspaceId)?.head ?? 0,
    /** Watches these workspaces and no others. */
    keep: (workspaceIds: readonly string[]): void => {
      if (deps.signal.aborted) return;
      const wanted = new Set(workspaceIds);
      for (const [workspaceId, { stop }] of watchers)
        if (!wanted.has(workspaceId)) {
          watchers.delete(workspaceId);
          stop();
        }
      for (const workspaceId of wanted) if (!watchers.has(workspaceId)) start(workspaceId);
    },
    close: (): void => {
      for (const { stop } of watchers.values()) stop();
      watchers.clear();
    },
  };
}

async function watch(workspaceId: string, watcher: Watcher, stopped: AbortSignal, deps: WatchersDeps): Promise<void> {
  const { changes, progress, follow } = deps;
  const { clock } = deps.context;
  const enabled = async () => (await progress.list(workspaceId)).filter(({ status }) => status === 'enabled');
  let seen = Math.min(...(await enabled()).map(({ cursor }) => cursor));
  while (!stopped.aborted && Number.isFinite(seen)) {
    const began = clock.now();
    const until = { workspaceId, deadline: began + WAIT_MS + GRACE_MS, signal: stopped };
    const { seq } = await changes.watchChanges({ seq: seen, waitMs: WAIT_MS }, until);
    if (seq > seen) {
      seen = seq;
      watcher.head = seq;
      const webhooks = await enabled();
      if (webhooks.length === 0) return;
      for (const webhook of webhooks) follow(webhook);
    } else if (clock.now() - began < WAIT_MS) await clock.sleep(PAUSE_MS, stopped);
  }
}
