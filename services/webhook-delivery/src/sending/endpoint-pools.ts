import { type PinnedHost, type PinnedOptions, type PinnedPool, pinnedPool } from '@postroom/public-http/pinned-client';

/** Node, nginx and most proxies keep an idle connection for five seconds or longer. */
const IDLE_MS = 4_000;
/** The host that was used longest ago makes room. */
const MOST_HOSTS = 512;

export type EndpointPools = ReturnType<typeof createEndpointPools>;

export interface EndpointPool {
  pool: PinnedPool;
  /** One of its connections has carried an answer, so the next request may meet one that the other side has just closed. */
  hasAnswered: boolean;
}

/**
 * The open connections to endpoints: a handshake for each delivery would be half of its work. Each leads to an address that
 * was checked for it, and a name that has other addresses by now gets new connections.
 */
export function createEndpointPools(options: PinnedOptions) {
  const hosts = new Map<string, EndpointPool>();
  // Many name servers tell the same addresses in another order each time.
  const keyOf = ({ host, port, addresses }: PinnedHost) => [host, port, ...addresses.toSorted()].join(' ');
  const remove = (key: string): void => {
    const { pool } = hosts.get(key) ?? {};
    hosts.delete(key);
    // Requests in flight end first.
    void pool?.close().catch(() => undefined);
  };

  const to = (target: PinnedHost): EndpointPool => {
    const key = keyOf(target);
    const host = hosts.get(key) ?? { pool: pinnedPool(target, { ...options, idleMs: IDLE_MS }), hasAnswered: false };
    hosts.delete(key);
    hosts.set(key, host);
    const [oldest = key] = hosts.keys();
    if (hosts.size > MOST_HOSTS) remove(oldest);
    return host;
  };

  return {
    to,

    /** New ones for this request and the next. */
    anew(target: PinnedHost): EndpointPool {
      remove(keyOf(target));
      return to(target);
    },

    /** Requests in flight go on. The end of the process cuts them off without a record, so the next one makes them again. */
    close: (): void => [...hosts.keys()].forEach(remove),
  };
}
