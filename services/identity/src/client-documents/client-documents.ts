import type { SecureContext } from 'node:tls';
import { limitInterim, nameInUrl, pinnedClient } from '@postroom/public-http/pinned-client';
import type { Resolve } from '@postroom/public-http/resolve';
import { readTargetUrl, type TargetUrl } from '@postroom/public-http/target-url';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import { systemClock } from '@postroom/runtime/clock';
import { within } from '@postroom/runtime/within';

/** Fetches the metadata document of a client. */
export type FetchDocument = typeof fetch;

interface FetchDocumentOptions {
  resolve: Resolve;
  /** Development hosts, whose addresses are given. */
  isRouted(host: string): boolean;
  secureContext?: SecureContext | undefined;
}

const TIMEOUT_MS = 5_000;
/** Anybody can name a host to fetch from, so that this server must not become a load for it, nor wait for many. */
const AT_ONCE = {
  total: 32,
  perOwner: 2,
  mostWaiting: 8,
  refusal: () => new Error('too many documents of this host are asked for'),
};
/** Documents of clients are a few hundred bytes. */
const MOST_BYTES = 16_384;

/**
 * The URL of a client's document comes from a stranger. It is held to the rule of webhooks: the connection goes to a
 * public address that was checked, and a redirect is an answer without a document.
 */
export function createFetchDocument({ resolve, isRouted, secureContext }: FetchDocumentOptions): FetchDocument {
  const fetches = createFairLimit(AT_ONCE);
  const get = async (target: TargetUrl, signal: AbortSignal): Promise<Response> => {
    const { url, host } = target;
    const address = await resolve(host);
    signal.throwIfAborted();
    const client = pinnedClient({ host, ...address }, { timeoutMs: TIMEOUT_MS, secureContext });
    try {
      const headers = { accept: 'application/json', host: nameInUrl(host) };
      const asked = { method: 'GET', path: `${url.pathname}${url.search}`, headers } as const;
      const answer = await client.request({ ...asked, signal, onInfo: limitInterim() });
      const cacheControl = String(answer.headers['cache-control'] ?? '');
      const init = { status: answer.statusCode, headers: { 'cache-control': cacheControl } };
      return new Response(await readAll(answer.body), init);
    } finally {
      await client.destroy();
    }
  };
  return (input) => {
    const target = readTargetUrl(input instanceof Request ? input.url : input.toString(), isRouted);
    if ('fault' in target) return Promise.reject(new Error(`the URL ${target.fault}`));
    const tooLate = () => new Error('no document within the time');
    return within({ ms: TIMEOUT_MS, clock: systemClock, tooLate }, (signal) =>
      fetches.run(target.host, () => get(target, signal), { signal }),
    );
  };
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MOST_BYTES) throw new Error('the document is too long');
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
