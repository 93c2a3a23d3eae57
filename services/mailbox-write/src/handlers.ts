import { createChangeHandlers } from './changes/change-handlers.ts';
import type { Deps, Rpcs } from './deps.ts';
import { createIngest } from './ingest/ingest.ts';
import { createSetAsideHandlers } from './ingest/set-aside-handlers.ts';
import { createSettling } from './ingest/settling.ts';
import { createSetAside } from './set-aside/set-aside.ts';

/** Declared, and not built yet: what outbound-send and the classifier will call. */
export const LATER = ['storeOutgoing', 'recordClassification'] as const;

export function createHandlers(deps: Deps): Omit<Rpcs, (typeof LATER)[number]> {
  const { stores, relay, pool, inTurn, context } = deps;
  const setAside = createSetAside(stores.setAside, context);
  const ingest = createIngest({
    ...createSettling(stores),
    emails: stores.emails,
    pool,
    setAside,
    relay,
    inTurn,
    context,
  });
  return {
    ingest: (request, { workspaceId }) => ingest.ingest(workspaceId, request),
    ...createSetAsideHandlers({ store: stores.setAside, ingest }),
    ...createChangeHandlers(deps),
  };
}
