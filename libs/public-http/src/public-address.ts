import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Azure answers its virtual machines at this address, although its range is public. */
const CLOUD_INSIDE = new Set(['168.63.129.16']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether everybody can reach this address, and not only the network that this process is in. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 4) return isPublicIPv4(ipaddr.IPv4.parse(text));
  return isIP(text) === 6 && !text.includes('%') && isPublicIPv6(ipaddr.IPv6.parse(inHex(text)));
}

/** The parser takes an address that ends in the form of IPv4 for a mapped one, whatever it begins with. */
const inHex = (text: string): string => new URL(`https://[${text}]`).hostname.slice(1, -1);

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !CLOUD_INSIDE.has(address.toString());
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  const wrapped = wrappedIn(address);
  if (wrapped.length > 0) return wrapped.every(isPublicIPv4);
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

/** The IPv4 addresses that a gateway on the way would make of this one. */
function wrappedIn(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const { parts } = address;
  const [, first = 0, second = 0, third = 0] = parts;
  const last: Pair = [parts[6] ?? 0, parts[7] ?? 0];
  const range = address.range() as string;
  if (range === 'ipv4Mapped' || range === 'rfc6145') return [ipv4Of(last)];
  // The rest of 64:ff9b:1::/48 is for translators within a site.
  if (range === 'rfc6052' && parts[2] === 0) return [ipv4Of(last)];
  if (range === '6to4') return [ipv4Of([first, second])];
  // Teredo has the server's address, and that of the client with every bit turned over.
  if (range === 'teredo') return [ipv4Of([second, third]), ipv4Of([last[0] ^ 0xffff, last[1] ^ 0xffff])];
  const isIsatap = ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe;
  return isIsatap ? [ipv4Of(last)] : [];
}

type Pair = readonly [number, number];

function ipv4Of([high, low]: Pair): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}
