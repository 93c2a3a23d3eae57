import type { Relay } from '@postroom/events/outbox/relay';
import type { Collections } from '@postroom/mail-store/collections';
import type { IngestRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Call } from '@postroom/rpc/call';
import type { ServiceContext } from '@postroom/runtime/service';
import { createChangeHandlers } from './changes/change-handlers.ts';
import { createEmailStore } from './ingest/email-store.ts';
import { createIngest } from './ingest/ingest.ts';
import type { ParsePool } from './parse/parse-pool.ts';
import { createSetAside } from './set-aside/set-aside.ts';
import { createSetAsideHandlers } from './set-aside/set-aside-handlers.ts';
import { createSetAsideStore } from './set-aside/set-aside-store.ts';
import { createThreadStore } from './threads/thread-store.ts';
import { createThreads } from './threads/threads.ts';
import { createWaitingStore } from './threads/waiting-store.ts';

interface Deps {
  collections: Collections;
  relay: Relay;
  pool: ParsePool;
  context: ServiceContext;
}

/** Every rpc of the service, and what stands behind each. */
export function createHandlers({ collections, relay, pool, context }: Deps) {
  const emails = createEmailStore(collections);
  const threads = createThreads({
    links: createThreadStore(collections),
    emails,
    newThreadId: () => context.ids('thr'),
  });
  const store = createSetAsideStore(collections);
  const setAside = createSetAside(store, context);
  const ingest = createIngest({
    emails,
    waiting: createWaitingStore(collections),
    threads,
    pool,
    setAside,
    relay,
    context,
  });
  return {
    ingest: (request: IngestRequest, { workspaceId }: Call) => ingest.ingest(workspaceId, request),
    ...createSetAsideHandlers({ store, ingest }),
    ...createChangeHandlers({ collections, context, relay }),
  };
}
