import { isIP } from 'node:net';

const LONGEST_NAME = 80;
/** Control characters, direction marks, and others that change how the text around them looks. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** A client chooses its name, so the name cannot be a sentence of the page or hide in it. */
export function shownName(name: string | undefined, host: string): string {
  const shown = [...(name ?? '').normalize('NFC').replace(/\s+/g, ' ').replace(UNSEEN, '').trim()];
  return shown.length === 0 ? host : shown.slice(0, LONGEST_NAME).join('');
}

/** The host of an address that a client returns to. Programs of this computer have none. */
export function hostOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol !== 'http:' && protocol !== 'https:') return `a program of this computer (${protocol}//)`;
  const isHere =
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  return isHere ? `a program of this computer (${host})` : host;
}

/** Browsers hold the redirect that follows a form to the same rule as the form. */
export function formTargetOf(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol;
}
