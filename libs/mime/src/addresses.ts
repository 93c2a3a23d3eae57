import { type RawAddress, scanAddresses } from './address-scanner.ts';
import { findAddress } from './bare-address.ts';
import { cut } from './cut.ts';
import { decodeWords, plain } from './encoded-words.ts';
import { withoutQuotes } from './quoted.ts';

export interface Address {
  email: string;
  name: string | null;
}

const LONGEST_EMAIL = 998;
const LONGEST_NAME = 998;
// These have no place in an address, and hide in spoofed ones.
const NOT_IN_ADDRESS = /[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;

/** The addresses of a To, Cc or From field: groups dissolved, names decoded, domains in lower case. */
export function parseAddresses(field: string | undefined, most: number): Address[] {
  if (!field) return [];
  return scanAddresses(field, most)
    .map(readAddress)
    .filter(({ email, name }) => email !== '' || name !== null);
}

function readAddress(raw: RawAddress): Address {
  if (raw.angle !== null)
    return { email: tidyEmail(raw.angle), name: displayName(raw.text) ?? displayName(raw.comment) };
  const bare = findAddress(raw.text);
  if (bare) {
    const rest = raw.text.replace(bare, ' ');
    return { email: tidyEmail(bare), name: displayName(rest) ?? displayName(raw.comment) };
  }
  const text = raw.text.trim();
  // One word is a local user, as cron writes it; more words are somebody's name without an address.
  const isLocalUser = text !== '' && !/[\s"]/.test(text) && !text.includes('=?');
  return isLocalUser
    ? { email: tidyEmail(text), name: displayName(raw.comment) }
    : { email: '', name: displayName(text) ?? displayName(raw.comment) };
}

function displayName(text: string): string | null {
  // Quotes go before the encoded words are read: a quote inside a decoded name is part of the name.
  const name = plain(decodeWords(withoutQuotes(text)).replace(/\s+/g, ' '));
  return name === '' ? null : cut(name, LONGEST_NAME);
}

function tidyEmail(text: string): string {
  const bare = decodeWords(text)
    .trim()
    .replace(NOT_IN_ADDRESS, '')
    // A source route of old: "@relay,@other:user@host".
    .replace(/^\s*@[^:]*:/, '')
    .replace(/^mailto:/i, '')
    .replace(/^'(.+)'$/, '$1');
  // A space is part of a quoted local part, and a slip anywhere else.
  const whole = /^"(?:[^"\\]|\\.)*"@\S+$/.test(bare) ? bare : bare.replace(/[\s<>]+/g, '');
  const email = cut(whole, LONGEST_EMAIL);
  const at = email.lastIndexOf('@');
  return at < 0 ? email : email.slice(0, at) + email.slice(at).toLowerCase();
}
