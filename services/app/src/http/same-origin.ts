import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@postroom/errors/api-error';

/** The origins of the pages: the address of the app, and in development the same port of this machine by its number. */
export function originsOf(appUrl: string): ReadonlySet<string> {
  const { origin, hostname, protocol, port } = new URL(appUrl);
  return new Set(hostname === 'localhost' ? [origin, `${protocol}//127.0.0.1${port && `:${port}`}`] : [origin]);
}

/**
 * A browser says by these two headers which page asks. A foreign page is refused whatever it asks, and a change needs one
 * of them, so that no client without them changes anything by the cookie of somebody.
 */
export function requireSameOrigin(method: string, headers: IncomingHttpHeaders, origins: ReadonlySet<string>): void {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (origin !== undefined && !origins.has(origin)) throw new ApiError('FOREIGN_ORIGIN');
  if (site === 'cross-site' || site === 'same-site') throw new ApiError('FOREIGN_ORIGIN');
  if (method !== 'GET' && origin === undefined && site !== 'same-origin') throw new ApiError('FOREIGN_ORIGIN');
}
