import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Log } from '@postroom/runtime/log';

export type RedisClient = Redis | Cluster;

export interface RedisSettings {
  /** `redis://` or `rediss://` (TLS). Several addresses, separated by commas, are the nodes of a cluster. */
  url: string;
  /** For a cluster that is known by one address. */
  cluster?: boolean | undefined;
  /** PEM of the authority that signed the server's certificate, when it is not a public one. */
  tlsCa?: string | undefined;
}

/**
 * The defaults wait for ever on a server that hangs; the limiter itself gives up sooner than these limits do. And nothing is ever sent a second time on its own: a command that
 * was cut off may have run, and a charge must not run twice.
 */
const timeouts = {
  maxRetriesPerRequest: 1,
  commandTimeout: 1_000,
  socketTimeout: 2_000,
  connectTimeout: 2_000,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  retryStrategy: (attempt: number) => Math.min(1_000, 50 * attempt),
} satisfies RedisOptions;

// The type is given for each client, because the compiler would compare every command of Redis for seconds to infer it.
type Options = RedisOptions & { replyMapping?: 'legacy' };

interface Address {
  host: string;
  port: number;
  options: Options;
}

export function openRedis(settings: RedisSettings, log: Log): RedisClient {
  const addresses = settings.url.split(',').map((url) => addressOf(url.trim(), settings));
  const [first] = addresses;
  if (!first) throw new Error('REDIS_URL names no server');
  const client = addresses.length > 1 || settings.cluster ? openCluster(addresses, first.options) : openSingle(first);
  // Without a listener an outage would end the process. A wrong password is logged here once, and not at every attempt.
  let said = '';
  client.on('error', (error: Error) => {
    if (error.message === said) return;
    said = error.message;
    log.warn({ err: error }, 'redis connection');
  });
  client.on('ready', () => (said = ''));
  return client;
}

/**
 * Logs in with the credentials of a changed address. The connections there are stay open, so that no call under way is cut
 * off; those to come use the new ones. A password that the server does not know yet rejects, and nothing has changed.
 */
export async function logInAnew(client: RedisClient, url: string): Promise<void> {
  const [first = ''] = url.split(',');
  const { username, password } = addressOf(first.trim(), { url }).options;
  if (!password) throw new Error('REDIS_URL has no password to log in with; another address needs a restart');
  const nodes = client instanceof Cluster ? client.nodes('all') : [client];
  await Promise.all(nodes.map((node) => (username ? node.auth(username, password) : node.auth(password))));
  const kept =
    client instanceof Cluster
      ? [client.options.redisOptions, ...nodes.map(({ options }) => options)]
      : [client.options];
  for (const options of kept) if (options) Object.assign(options, { username, password });
}

function openSingle({ host, port, options }: Address): Redis {
  return new Redis<'legacy'>({ ...timeouts, ...options, host, port });
}

function openCluster(nodes: Address[], options: Options): Cluster {
  return new Cluster<'legacy'>(
    nodes.map(({ host, port }) => ({ host, port })),
    {
      redisOptions: { ...timeouts, ...options },
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      // A probe must not queue behind the commands that it checks.
      autoPipeliningIgnoredCommands: ['ping'],
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      slotsRefreshTimeout: 1_000,
      slotsRefreshInterval: 5_000,
      clusterRetryStrategy: (attempt) => Math.min(1_000, 100 * attempt),
      // Certificates are issued for names; asking DNS first would leave an address to compare with.
      ...(options.tls && { dnsLookup: (name, found) => found(null, name) }),
    },
  );
}

function addressOf(url: string, { tlsCa }: RedisSettings): Address {
  const { protocol, hostname, port, username, password, pathname } = new URL(
    url.includes('://') ? url : `redis://${url}`,
  );
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw new Error('REDIS_URL must begin with redis:// or rediss://');
  const database = Number(pathname.slice(1) || 0);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 6379),
    options: {
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(database > 0 && { db: database }),
      ...(protocol === 'rediss:' && { tls: tlsCa ? { ca: tlsCa } : {} }),
    },
  };
}
