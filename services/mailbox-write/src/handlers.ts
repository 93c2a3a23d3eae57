import { createChangeHandlers } from './changes/change-handlers.ts';
import type { Deps, Rpcs } from './deps.ts';
import { createIngest } from './ingest/ingest.ts';
import { createSetAsideHandlers } from './ingest/set-aside-handlers.ts';
import { createSettling } from './ingest/settling.ts';
import { createOutgoingHandlers } from './outgoing/outgoing-handlers.ts';
import { createSetAside } from './set-aside/set-aside.ts';

export function createHandlers(deps: Deps): Rpcs {
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
    ...createOutgoingHandlers({ stores, relay, pool, context, ingest }),
    ...createChangeHandlers(deps),
  };
}
