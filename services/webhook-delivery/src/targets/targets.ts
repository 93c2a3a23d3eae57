import { refuse } from '@postroom/errors/refuse';
import {
  createResolve,
  type ResolvedHost,
  InsideAddress,
  type ResolveOptions,
  UnreachableTarget,
} from '@postroom/public-http/resolve';
import { readTargetUrl, type TargetUrl } from '@postroom/public-http/target-url';

export { type FixedAddress, UnreachableTarget } from '@postroom/public-http/resolve';

/** A URL with the addresses that it has now. */
interface Target extends TargetUrl, ResolvedHost {}

export interface Targets {
  /** Refuses a URL that nothing may be delivered to. A host without an address may get one yet. */
  check(url: string): Promise<void>;
  /** Asks for the addresses anew, and throws where one of them is not public. */
  find(url: string): Promise<Target>;
}

export function createTargets(options: ResolveOptions): Targets {
  const resolve = createResolve(options);
  const read = (url: string) => readTargetUrl(url, (host) => options.routes.has(host));
  const find: Targets['find'] = async (url) => {
    const target = read(url);
    // The rule may have become stricter since the webhook was made.
    if ('fault' in target) throw new UnreachableTarget(`the URL ${target.fault}`);
    return { ...target, ...(await resolve(target.host)) };
  };
  return {
    find,
    check: async (url) => {
      const target = read(url);
      if ('fault' in target) return refuse('url', target.fault);
      await resolve(target.host).catch((error: unknown) => {
        if (error instanceof InsideAddress) refuse('url', 'must have a public address, and no other one');
      });
    },
  };
}
