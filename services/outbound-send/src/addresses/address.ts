import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** True where the part before the @ is beyond ASCII: a domain has an ASCII form, a mailbox has none. */
export function isInternational(address: string): boolean {
  return /[^\x20-\x7e]/.test(address.slice(0, address.lastIndexOf('@')));
}

export function toAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  const ascii = domainToASCII(domain);
  // As in a URL, "127.1" would become the address of a host, which nobody has asked for.
  return `${address.slice(0, at)}@${isIP(ascii) ? domain : ascii || domain}`;
}
