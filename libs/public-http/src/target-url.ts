import { isIP } from 'node:net';
import { bounds } from '@postroom/contract/bounds';
import { isPublicAddress } from './public-address.ts';

const MOST_CHARACTERS = bounds.webhookUrl.max;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MOST_HOST_CHARACTERS = 253;

/** Names that mean something else in each network, or nothing at all. */
const SPECIAL = 'localhost local localdomain internal intranet private corp home lan test invalid onion alt arpa'.split(
  ' ',
);

export interface TargetUrl {
  url: URL;
  /** A name in lower case and its ASCII form, or an address without brackets. */
  host: string;
}

/** The fault of a URL that nothing may be delivered to, or the URL. Hosts with a route of development are taken as public. */
export function readTargetUrl(text: string, isRouted: (host: string) => boolean): TargetUrl | { fault: string } {
  if ([...text].length > MOST_CHARACTERS) return { fault: `must have ${MOST_CHARACTERS} characters at most` };
  // A URL parser drops or turns such characters, so that another URL is delivered to than the one that was read.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) return { fault: 'must have no spaces, backslashes or invisible characters' };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https:\/\/[^/]/i.test(text)) return { fault: 'must be a URL that begins with https://' };
  const authority = text.slice('https://'.length).split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@')) return { fault: 'must have no user name and no password' };
  if (text.includes('#')) return { fault: 'must have no fragment' };
  if (url.port !== '') return { fault: 'must use port 443' };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const fault = isRouted(host) ? undefined : faultOfHost(host);
  return fault ? { fault } : { url, host };
}

function faultOfHost(host: string): string | undefined {
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'must have a public address';
  const labels = host.split('.');
  const isName = host.length <= MOST_HOST_CHARACTERS && labels.every((label) => LABEL.test(label));
  if (!isName) return 'must have the name of a host';
  if (labels.length === 1) return 'must have a host name with a domain';
  const isSpecial = SPECIAL.some((name) => host === name || host.endsWith(`.${name}`));
  return isSpecial ? 'must have a public host name' : undefined;
}
