import { isIP } from 'node:net';

/** One subscriber has a whole /64 of IPv6. */
export const subscriberOf = (address: string): string => (isIP(address) === 6 ? leading(address, 4) : address);

/** One site has a /48 of IPv6, and as a rule no more than a /24 of IPv4. */
export function siteOf(address: string): string {
  if (isIP(address) === 6) return leading(address, 3);
  return isIP(address) === 4 ? address.split('.').slice(0, 3).join('.') : address;
}

function leading(address: string, groups: number): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, groups).join(':');
}
