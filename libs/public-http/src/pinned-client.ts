import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import { Client, Pool } from 'undici';
import type { ResolvedHost } from './resolve.ts';

const MOST_OF_HEADERS = 16_384;
const NEXT_ADDRESS_MS = 500;
const MOST_INTERIM = 10;

export interface PinnedOptions {
  timeoutMs: number;
  secureContext?: SecureContext | undefined;
}

export type PinnedPool = Pool;
export type PinnedHost = ResolvedHost & { host: string };

/** A client for one host at the addresses that were checked. Redirects are answers like all others, and no proxy is asked. */
export const pinnedClient = (target: PinnedHost, options: PinnedOptions): Client =>
  new Client(originOf(target), pinned(target, options));

/** The same with as many connections as there are requests at once. Each stays open for a moment, for the next request. */
export const pinnedPool = (target: PinnedHost, { idleMs, ...options }: PinnedOptions & { idleMs: number }): Pool =>
  new Pool(originOf(target), { ...pinned(target, options), keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs });

const originOf = ({ host, port }: PinnedHost): string => `https://${nameInUrl(host)}:${port}`;

function pinned({ addresses }: PinnedHost, { timeoutMs, secureContext }: PinnedOptions) {
  const hosts = addresses.map((address) => ({ address, family: isIP(address) }));
  // The name is not asked for again: the connection goes to what was checked. A literal address is never looked up at all.
  const lookup: LookupFunction = (_name, { all }, done) => {
    const [first] = hosts;
    if (all) done(null, hosts);
    else done(null, first?.address ?? '', first?.family);
  };
  return {
    maxHeaderSize: MOST_OF_HEADERS,
    pipelining: 1,
    connect: {
      lookup,
      rejectUnauthorized: true,
      timeout: timeoutMs,
      autoSelectFamily: hosts.length > 1,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      ...(secureContext && { secureContext }),
    },
  };
}

export const nameInUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

class TooManyInterim extends Error {
  readonly code = 'TOO_MANY_INTERIM';
}

/**
 * `onInfo` of one request. Interim responses (status 1xx) count towards no limit of headers or body, so a server that
 * sends them without an end would keep the event loop busy until the time is over. An error here closes the connection.
 */
export function limitInterim(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > MOST_INTERIM) throw new TooManyInterim('too many interim responses');
  };
}
