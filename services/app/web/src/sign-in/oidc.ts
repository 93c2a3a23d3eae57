import type { OidcSignInAnswer, SignedInAnswer } from '@postroom/app/answers';
import { call } from '../api/call.ts';

const STORED_AS = 'postroom.oidc';

/** Leaves for the provider. The tab keeps the token, so that no other browser can finish this sign-in. */
export async function leaveForProvider(next: string | null): Promise<never> {
  const { url, token } = await call<OidcSignInAnswer>('POST', '/session/oidc', { body: {} });
  sessionStorage.setItem(STORED_AS, JSON.stringify({ token, next }));
  window.location.assign(url);
  return new Promise(() => undefined);
}

/** Finishes the sign-in of the address that the provider returned to, and gives the page that was asked for first. */
export async function returnFromProvider(): Promise<string | null> {
  const query = window.location.search;
  // The code stands in no history and no later Referer.
  window.history.replaceState(null, '', window.location.pathname);
  const stored = sessionStorage.getItem(STORED_AS);
  sessionStorage.removeItem(STORED_AS);
  if (stored === null) throw new Error('This sign-in began in another tab, or was used already. Start it again.');
  const { token, next } = JSON.parse(stored) as { token: string; next: string | null };
  await call<SignedInAnswer>('POST', '/session/oidc/finish', { body: { token, query } });
  return next;
}
