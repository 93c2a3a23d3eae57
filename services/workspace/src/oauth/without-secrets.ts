import type { Secret } from '@postroom/secrets/secret';

/** Tokens are long words. Any text of that form may be an unknown token. */
const TOKEN_LIKE = /[\w~+/=.%-]{24,}/g;
const LONGEST = 200;

/** The text of an endpoint without the secrets that it was sent, for logs, events and people. */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  const known = secrets.map((secret) => secret.reveal());
  const written = known.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const cut = written.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
  return cut
    .replaceAll(TOKEN_LIKE, '[secret]')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, LONGEST);
}
