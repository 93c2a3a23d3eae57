const HOST = /^[a-z0-9.-]+(:\d+)?$/;
const IMAGE_DATA = /^data:image\/(png|jpe?g|gif|webp|bmp);base64,/i;
/** A name of the public internet. A mail could otherwise ask the machines around its reader. */
const PUBLIC_NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/;
const SPECIAL_NAME = /(^|\.)(localhost|local|internal|home|lan|arpa|test|invalid)$/;

/** Other links have no host to name: a relative one would open the app itself, by the choice of a stranger. */
const REACHES_PEOPLE = /^(mailto|tel):$/;

/** The host that a link of sanitised html leads to; null for mail and telephone numbers, undefined where it may not lead. */
export function hostOfLink(href: string): string | null | undefined {
  const url = parsed(href);
  if (!url) return undefined;
  if (!/^https?:$/.test(url.protocol)) return REACHES_PEOPLE.test(url.protocol) ? null : undefined;
  // Of an IPv6 address, the host has signs that no name has.
  return HOST.test(url.host) ? url.host : 'address';
}

/** The Content-ID of an image that is a part of the same mail (RFC 2392); undefined for every other address. */
export function carriedIdOf(source: string): string | undefined {
  const [, id] = /^cid:(.{1,300})$/i.exec(source.replaceAll('&amp;', '&')) ?? [];
  try {
    return id && decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Images in the html itself, and those of public servers over TLS. */
export function isShownImage(source: string): boolean {
  if (IMAGE_DATA.test(source)) return true;
  const url = parsed(source);
  return url?.protocol === 'https:' && url.port === '' && PUBLIC_NAME.test(url.hostname) && !isSpecial(url.hostname);
}

const isSpecial = (name: string): boolean => SPECIAL_NAME.test(name);

function parsed(value: string): URL | null {
  const address = value.replaceAll('&amp;', '&');
  return URL.canParse(address) ? new URL(address) : null;
}
