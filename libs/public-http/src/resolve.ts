import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export interface ResolvedHost {
  /** Each of them was checked, and nothing else is connected to. */
  addresses: readonly string[];
  port: number;
}

export interface FixedAddress {
  address: string;
  port: number;
}

/** Nothing can be delivered to this URL now. The sentence names no address: it would tell of the network inside. */
export class UnreachableTarget extends Error {}

/** The host has an address that is not public. */
export class InsideAddress extends UnreachableTarget {
  constructor() {
    super('the host has an address that is not public');
  }
}

export interface ResolveOptions {
  /** Of development: these hosts are where they say, as if that were public. */
  routes: ReadonlyMap<string, FixedAddress>;
  /** Of development: a name server, as `address:port`. */
  server?: string | undefined;
}

export type Resolve = (host: string) => Promise<ResolvedHost>;

const HTTPS_PORT = 443;
const TIMEOUT_MS = 1_500;
const TRIES = 2;

/**
 * The addresses of a host, asked anew each time. The resolver is that of c-ares: it needs no thread, so that names whose
 * servers never answer hold nobody up, and it knows neither search domains nor the hosts file of the cluster.
 */
export function createResolve({ routes, server }: ResolveOptions): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (server) resolver.setServers([server]);
  const addressesOf = async (host: string): Promise<string[]> => {
    if (isIP(host) !== 0) return [host];
    const none = (): string[] => [];
    return (await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)])).flat();
  };
  return async (host) => {
    const route = routes.get(host);
    if (route) return { addresses: [route.address], port: route.port };
    const addresses = await addressesOf(host);
    if (addresses.length === 0) throw new UnreachableTarget('the host name has no address');
    // One inside address among public ones is a name that somebody made to be let in.
    if (!addresses.every(isPublicAddress)) throw new InsideAddress();
    return { addresses, port: HTTPS_PORT };
  };
}
