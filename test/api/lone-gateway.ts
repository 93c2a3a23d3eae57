import { FEATURES } from '@postroom/contract/lists';
import { memoryLimiter } from '@postroom/limits/memory-limiter';
import type { Limiter } from '@postroom/limits/limiter';
import { createDayCountsStore } from '@postroom/mail-store/day-counts-store';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import type { ApiKey, Workspace } from '@postroom/proto/postroom/v1/workspace';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { silentLog, type Log } from '@postroom/runtime/log';
import type { ServiceContext } from '@postroom/runtime/service';
import { createServiceContext } from '@postroom/runtime/service-context';
import { openPublicPort, type PublicPortSettings } from '../../services/gateway/src/http/public-port.ts';
import { createIdempotencyStore } from '../../services/gateway/src/guard/idempotency-keys/idempotency-store.ts';
import { createKeys } from '../../services/gateway/src/keys/keys.ts';
import type { Route } from '../../services/gateway/src/routes/route.ts';
import type { Services } from '../../services/gateway/src/routes/services.ts';
import { createUsage } from '../../services/gateway/src/usage/usage.ts';
import { createLatestStore } from '../../services/gateway/src/usage/latest-store.ts';
import { apiClient, type ApiClient } from '../support/client.ts';
import { freshDatabaseUri } from '../support/database.ts';

export const KEY = `mk_${'k'.repeat(40)}`;
export const FREE = { perMinute: 60, perMonth: 10_000 };

export interface LoneGateway {
  baseUrl: string;
  caller: ApiClient;
  clock: ManualClock;
  limiter: Limiter;
  context: ServiceContext;
  /** ResolveKey answers with this key and workspace. A test may change both. */
  key: ApiKey;
  workspace: Workspace;
  /** Number of ResolveKey calls. */
  lookups: () => number;
  close(): Promise<void>;
}

/** The calls that a test expects, each as the service would answer it. */
export type LoneServices = { [S in keyof Services]?: Partial<Services[S]> };

interface Options {
  services?: LoneServices;
  /** Bounds other than the usual ones. */
  bounds?: Partial<PublicPortSettings>;
  log?: Log;
  otlpEndpoint?: string;
  /** Instead of every route there is. */
  routes?: readonly Route[];
}

const SETTINGS: PublicPortSettings = {
  HOST: '127.0.0.1',
  HTTP_PORT: 0,
  TRUSTED_PROXIES: 0,
  FEATURES,
  MAX_IN_FLIGHT: 1_000,
  MAX_LAG: 60_000,
  MAX_CALLS_PER_WORKSPACE: 32,
  MAX_CONNECTIONS: 1_000,
  MAX_BODY_MEMORY: 1_048_576,
  MAX_UNREAD_ANSWERS: 16_777_216,
};

/** No access token is known. */
const NOBODY = { resolveAccessToken: () => Promise.resolve({}) };

/** The gateway on a real socket with a database of its own, between a test's clock and a test's services. */
export async function openLoneGateway(options: Options = {}): Promise<LoneGateway> {
  const { services = {}, log = silentLog, otlpEndpoint } = options;
  const clock = manualClock(Date.now());
  const context = createServiceContext({ name: 'gateway', clock, log, otlpEndpoint });
  const store = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  await migrate(store.connection, context);
  const { key, workspace } = identity();
  let lookups = 0;
  const resolveKey = () => Promise.resolve({ key, workspace }).finally(() => lookups++);
  const all = { ...services, workspace: { resolveKey, ...services.workspace } } as unknown as Services;

  const limiter = memoryLimiter(clock);
  const keys = createKeys({ workspace: all.workspace, identity: NOBODY, clock, log });
  const idempotency = createIdempotencyStore(store.collections);
  const usage = createUsage(
    { ...createLatestStore(store.collections), calls: createDayCountsStore(store.collections.callCounts) },
    10_000,
    context,
  );
  context.lifecycle.add('usage', () => usage.close());
  const inner = { limiter, usage, services: all, keys, idempotency };
  const port = await openPublicPort({ ...SETTINGS, ...options.bounds }, inner, context, options.routes);
  const baseUrl = `http://127.0.0.1:${port}/api/v1`;
  return {
    baseUrl,
    clock,
    limiter,
    context,
    key,
    workspace,
    caller: apiClient(baseUrl, KEY),
    lookups: () => lookups,
    close: async () => {
      await store.connection.dropDatabase();
      await context.lifecycle.close();
    },
  };
}

function identity(): { key: ApiKey; workspace: Workspace } {
  const createdAt = new Date().toISOString();
  return {
    key: { id: 'key_1', name: 'k', scopes: ['read', 'write'], allowOutboundSend: true, createdAt } as ApiKey,
    workspace: {
      id: 'wsp_1',
      name: 'W',
      plan: 'free',
      planInForce: 'free',
      isSuspended: false,
      createdAt,
    } as Workspace,
  };
}

/** Resolves when it is told to: a service that takes its time. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
