import type { IncomingMessage } from 'node:http';

/** Of an IPv6 address with its zone. */
const MOST_LENGTH = 64;

type Arrived = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * The address that a request came from. Each proxy appends the address that it saw to X-Forwarded-For, so the entries of
 * our own proxies are the last ones. Entries before them are the caller's own words, and are never believed.
 */
export function clientAddress({ headers, socket }: Arrived, proxies: number): string {
  const forwarded = proxies > 0 ? entriesOf(headers['x-forwarded-for']).at(-proxies)?.trim() : undefined;
  const address = forwarded || socket.remoteAddress || '';
  return address.replace(/^::ffff:(?=\d+\.)/, '').slice(0, MOST_LENGTH);
}

const entriesOf = (header: string | string[] = ''): string[] => String(header).split(',');
