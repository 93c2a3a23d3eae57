import { type PinnedHost, type PinnedOptions, type PinnedPool, pinnedPool } from '@postroom/public-http/pinned-client';

/** Node, nginx and most proxies keep an idle connection for five seconds or longer. */
const IDLE_MS = 4_000;
/** The pool that was used longest ago makes room. */
const MOST_POOLS = 512;

export type EndpointPools = ReturnType<typeof createEndpointPools>;

export interface EndpointPool {
  pool: PinnedPool;
  /** One of its connections has carried an answer, so the next request may meet one that the other side has just closed. */
  hasAnswered: boolean;
}

/**
 * The open connections to endpoints: a handshake for each delivery would be half of its work. Each leads to an address that
 * was checked for it, and a name that has other addresses by now gets new connections. Each workspace has its own: a host
 * may send more than one answer, and the second would be taken for that to the next delivery.
 */
export function createEndpointPools(options: PinnedOptions) {
  const pools = new Map<string, EndpointPool>();
  // Many name servers tell the same addresses in another order each time.
  const keyOf = ({ host, port, addresses }: PinnedHost, workspaceId: string) =>
    [workspaceId, host, port, ...addresses.toSorted()].join(' ');
  const remove = (key: string): void => {
    const { pool } = pools.get(key) ?? {};
    pools.delete(key);
    // Requests in flight end first.
    void pool?.close().catch(() => undefined);
  };

  const to = (target: PinnedHost, workspaceId: string): EndpointPool => {
    const key = keyOf(target, workspaceId);
    const known = pools.get(key) ?? { pool: pinnedPool(target, { ...options, idleMs: IDLE_MS }), hasAnswered: false };
    pools.delete(key);
    pools.set(key, known);
    const [oldest = key] = pools.keys();
    if (pools.size > MOST_POOLS) remove(oldest);
    return known;
  };

  return {
    to,

    /** New ones for this request and the next. */
    anew(target: PinnedHost, workspaceId: string): EndpointPool {
      remove(keyOf(target, workspaceId));
      return to(target, workspaceId);
    },

    /** Requests in flight go on. The end of the process cuts them off without a record, so the next one makes them again. */
    close: (): void => [...pools.keys()].forEach(remove),
  };
}
