import type { Secret } from '@postroom/secrets/secret';
import { z } from 'zod';

const claims = z.object({
  aud: z.union([z.string(), z.array(z.string())]),
  nonce: z.string(),
  exp: z.number(),
  email: z.string().optional().catch(undefined),
  email_verified: z.unknown().optional(),
  preferred_username: z.string().optional().catch(undefined),
});

export type IdClaims = z.infer<typeof claims>;

/**
 * The claims of an id token for this client and this consent; undefined for any other. The token comes from the token endpoint
 * itself over TLS, which stands for its signature (OpenID Connect Core, 3.1.3.7), and the login at the mail server proves the
 * address once more.
 */
export function idClaimsIn(
  token: Secret,
  { clientId, nonce, now }: { clientId: string; nonce: string; now: number },
): IdClaims | undefined {
  const [, payload = ''] = token.reveal().split('.');
  const { data } = claims.safeParse(parsed(Buffer.from(payload, 'base64url').toString('utf8')));
  if (!data || ![data.aud].flat().includes(clientId)) return undefined;
  return data.nonce === nonce && data.exp * 1_000 > now ? data : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
