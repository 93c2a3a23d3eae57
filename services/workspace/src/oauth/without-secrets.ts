import type { OAuthGrant } from '../credentials.ts';

/** Tokens are long runs of letters without a space: whatever looks like one may be one that is not known here. */
const TOKEN_LIKE = /[\w~+/=.%-]{24,}/g;
const LONGEST = 200;

/** What an endpoint said, fit for logs, events and people. */
export function withoutSecrets(text: string, { clientSecret, refreshToken }: OAuthGrant): string {
  const known = [refreshToken, ...(clientSecret ? [clientSecret] : [])].map((secret) => secret.reveal());
  const written = known.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const cut = written.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
  return cut
    .replaceAll(TOKEN_LIKE, '[secret]')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, LONGEST);
}
