import { bounds } from './bounds.ts';
import { codePoints, hasEncodedWord } from './text.ts';

// One plain mailbox: no list, group, quoted local part or control character, so that it never means two recipients.
const LETTER = String.raw`[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Surrogate}@<>()[\]\\,;:"]`;
const LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?`;
const MAILBOX = new RegExp(String.raw`^${LETTER}+@${LABEL}(\.${LABEL})*$`, 'u');
const DOMAIN = new RegExp(String.raw`^${LABEL}(\.${LABEL})*$`, 'u');
const QUOTED_LOCAL_PART = /^"(?:[^"\\]|\\.)*"$/;

export function isAddress(text: string): boolean {
  // A code point has at most two UTF-16 units, so a text that is too long is refused without counting.
  if (text.length > bounds.address.max * 2 || codePoints(text) > bounds.address.max) return false;
  return MAILBOX.test(text) && !hasEncodedWord(text);
}

/** The domain of an address, in the form for comparison; '' for a text that is not an address. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  const isQuoted = QUOTED_LOCAL_PART.test(address.slice(0, Math.max(at, 0))) && isDomain(domain);
  return isQuoted || isAddress(address) ? domainKey(domain) : '';
}

export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}

/** The form in which addresses are compared: letter case never distinguishes two mailboxes. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

/** The form in which domains are compared: "@Example.com" and "example.com" are one. */
export function domainKey(domain: string): string {
  return domain.trim().replace(/^@/, '').toLowerCase();
}
