import { setMaxListeners } from 'node:events';
import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Client } from '@postroom/rpc/definition';
import { abortedByAny } from '@postroom/runtime/abort';
import type { ServiceContext } from '@postroom/runtime/service';

interface Deps {
  changes: Pick<Client<typeof ChangesServiceDefinition>, 'watchChanges'>;
  context: Pick<ServiceContext, 'clock' | 'ids'>;
}

/** One workspace in which somebody waits. Each of them has seen everything up to `head`. */
interface Watch {
  head: number;
  waiters: Set<() => void>;
  stop: AbortController;
}

export interface Waiting {
  ms: number;
  signal: AbortSignal;
}

const ASK_MS = 20_000;
const DEADLINE_MS = 25_000;
/** The pause after a failure, for a service that restarts. */
const PAUSE_MS = 1_000;

export type Watches = ReturnType<typeof createWatches>;

/** Asks once for each workspace, however many wait there. */
export function createWatches(deps: Deps) {
  const { clock } = deps.context;
  const watches = new Map<string, Watch>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);

  const forget = (workspaceId: string, watch: Watch): void => {
    if (watches.get(workspaceId) === watch) watches.delete(workspaceId);
  };
  const enter = (workspaceId: string, head: number, wake: () => void): Watch => {
    const known = watches.get(workspaceId);
    if (known) {
      known.waiters.add(wake);
      return known;
    }
    const watch = { head, waiters: new Set([wake]), stop: new AbortController() };
    watches.set(workspaceId, watch);
    void follow(workspaceId, watch, deps, () => forget(workspaceId, watch));
    return watch;
  };
  const leave = (workspaceId: string, watch: Watch, wake: () => void): void => {
    watch.waiters.delete(wake);
    if (watch.waiters.size > 0) return;
    // It is forgotten now, so that nobody joins it while it ends.
    forget(workspaceId, watch);
    watch.stop.abort();
  };

  return {
    /** Whether there is a change behind this number, told as soon as there is one, and no later than the time is over. */
    async newer(workspaceId: string, after: number, { ms, signal }: Waiting): Promise<boolean> {
      if (closing.signal.aborted) {
        // A client that asks again and again would spend its units on a gateway that leaves.
        await clock.sleep(Math.min(ms, PAUSE_MS), signal).catch(() => undefined);
        return false;
      }
      const known = watches.get(workspaceId);
      if (known && known.head > after) return true;
      // The caller has read on: everybody else here has something to read.
      if (known && known.head < after) tell(known, after);
      const woken = new AbortController();
      const wake = () => woken.abort();
      const watch = enter(workspaceId, after, wake);
      await abortedByAny([signal, closing.signal, woken.signal], (any) => clock.sleep(ms, any)).catch(() => undefined);
      leave(workspaceId, watch, wake);
      return woken.signal.aborted;
    },

    /** Ends every wait, and those that begin later after a second. */
    close: () => closing.abort(),
  };
}

function tell(watch: Watch, head: number): void {
  watch.head = head;
  for (const wake of watch.waiters) wake();
  watch.waiters.clear();
}

/** Asks for as long as somebody waits. The end is told in the same moment, so that nobody joins a watch that has ended. */
async function follow(workspaceId: string, watch: Watch, deps: Deps, end: () => void): Promise<void> {
  const { signal } = watch.stop;
  while (watch.waiters.size > 0 && !signal.aborted) {
    const head = await ask(workspaceId, watch, deps).catch(() => undefined);
    if (head === undefined) await deps.context.clock.sleep(PAUSE_MS, signal).catch(() => undefined);
    else if (head > watch.head) tell(watch, head);
  }
  end();
}

async function ask(
  workspaceId: string,
  { head, stop: { signal } }: Watch,
  { changes, context }: Deps,
): Promise<number> {
  const { clock, ids } = context;
  const call = { workspaceId, requestId: ids('req'), deadline: clock.now() + DEADLINE_MS, signal };
  return (await changes.watchChanges({ seq: head, waitMs: ASK_MS }, call)).seq;
}
