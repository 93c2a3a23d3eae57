import { bounds } from './bounds.ts';
import { codePoints } from './text.ts';

// One plain mailbox: no list, group, quoted local part or control character, so that it never means two recipients.
const LETTER = String.raw`[^\s\p{Cc}\p{Bidi_Control}\p{Surrogate}@<>()[\]\\,;:"]`;
const LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?`;
const MAILBOX = new RegExp(String.raw`^${LETTER}+@${LABEL}(\.${LABEL})*$`, 'u');
const DOMAIN = new RegExp(String.raw`^${LABEL}(\.${LABEL})*$`, 'u');
const ENCODED_WORD = /=\?[^?]*\?[bq]\?/i;

export function isAddress(text: string): boolean {
  return MAILBOX.test(text) && !ENCODED_WORD.test(text) && codePoints(text) <= bounds.address.max;
}

export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}

/** How addresses are compared: capitals never tell two mailboxes apart. */
export function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

/** A domain as it is compared: "@Example.com" and "example.com" are one. */
export function domainKey(domain: string): string {
  return domain.trim().replace(/^@/, '').toLowerCase();
}
