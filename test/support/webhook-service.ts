import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { type Change, ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import {
  WebhookDeliveryServiceDefinition,
  WebhookOperatorServiceDefinition,
} from '@postroom/proto/postroom/v1/webhook_delivery';
import { connect } from '@postroom/rpc/connect';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import type { Clock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { makeFirstKey } from '@postroom/secrets/key-folder';
import { freshDatabaseUri } from './database.ts';
import { service } from '@postroom/webhook-delivery/service';

const TOKEN = 'operators';
const HOST = '127.0.0.1';

/** A feed in memory, which answers as the service `changes` does. */
export function fakeFeed(clock: Clock) {
  const changes = new Map<string, Change[]>();
  const waiting = new Set<() => void>();
  const feedOf = (workspaceId: string): Change[] => {
    const feed = changes.get(workspaceId) ?? [];
    changes.set(workspaceId, feed);
    return feed;
  };
  const append = (workspaceId: string, event: string, data: object = {}): Change => {
    const seq = feedOf(workspaceId).length + 1;
    const createdAt = clock.date().toISOString();
    const id = `evt_${workspaceId}_${seq}`;
    const change = { id, seq, event, createdAt, data: JSON.stringify(data), cursor: String(seq) };
    feedOf(workspaceId).push(change);
    for (const wake of waiting) wake();
    return change;
  };
  const handlers = implement(ChangesServiceDefinition, {
    listChanges: async ({ since, limit }, { workspaceId }) => {
      const feed = feedOf(workspaceId);
      const after = since?.$case === 'seq' ? since.value : feed.length;
      const page = feed.slice(after, after + limit);
      const nextSeq = after + page.length;
      return { changes: page, nextCursor: '', nextSeq, hasMore: nextSeq < feed.length };
    },
    watchChanges: async ({ seq }, { workspaceId, signal }) => {
      while (feedOf(workspaceId).length <= seq && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          waiting.add(wake);
          signal.addEventListener('abort', wake, { once: true });
        });
      }
      return { seq: feedOf(workspaceId).length };
    },
  });
  return { append, handlers };
}

/** The service on sockets, over a database and a feed of its own. */
export async function openService(clock: Clock, variables: Record<string, unknown> = {}) {
  const context = createServiceContext({ name: 'webhook-delivery', clock, log: silentLog });
  const uri = freshDatabaseUri();
  const store = await openMailStore({ uri, needsSchema: false }, context);
  await migrate(store.connection, context);
  context.lifecycle.add('test database', () => store.connection.dropDatabase());
  const keys = await mkdtemp(join(tmpdir(), 'postroom-keys-'));
  await makeFirstKey(keys, '2026-01-01');
  context.lifecycle.add('keys', () => rm(keys, { recursive: true }));
  const feed = fakeFeed(clock);
  const changes = await serve({ address: `${HOST}:0`, services: [feed.handlers], context });
  const settings = service.config.parse({
    MONGODB_URI: uri,
    CHANGES_ADDR: `${HOST}:${changes.port}`,
    SECRET_KEYS: keys,
    HOST,
    GRPC_PORT: 0,
    OPERATOR_PORT: 0,
    OPERATOR_TOKEN: TOKEN,
    POSTROOM_DEVELOPMENT: true,
    ...variables,
  });
  const { port, operatorPort } = await service.open(settings, context);
  return {
    context,
    feed,
    keys,
    collections: store.collections,
    address: `${HOST}:${port}`,
    api: connect(WebhookDeliveryServiceDefinition, `${HOST}:${port}`, { context }),
    operators: connect(WebhookOperatorServiceDefinition, `${HOST}:${operatorPort}`, { context, token: TOKEN }),
  };
}
