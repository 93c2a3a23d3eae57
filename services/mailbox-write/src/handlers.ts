import { createChangeHandlers } from './changes/change-handlers.ts';
import type { Deps, Rpcs } from './deps.ts';
import { createIngest } from './ingest/ingest.ts';
import { createSetAside } from './set-aside/set-aside.ts';
import { createSetAsideHandlers } from './set-aside/set-aside-handlers.ts';
import { createThreads } from './threads/threads.ts';

/** Declared, and not built yet: what outbound-send and the classifier will call. */
export const LATER = ['storeOutgoing', 'recordClassification'] as const;

export function createHandlers(deps: Deps): Omit<Rpcs, (typeof LATER)[number]> {
  const { stores, relay, pool, context } = deps;
  const { emails, links, waiting } = stores;
  const threads = createThreads({ links, emails, newThreadId: () => context.ids('thr') });
  const setAside = createSetAside(stores.setAside, context);
  const ingest = createIngest({ emails, waiting, threads, pool, setAside, relay, context });
  return {
    ingest: (request, { workspaceId }) => ingest.ingest(workspaceId, request),
    ...createSetAsideHandlers({ store: stores.setAside, ingest }),
    ...createChangeHandlers(deps),
  };
}
