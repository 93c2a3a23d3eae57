import { storeFields } from '@postroom/mail-store/store-fields';
import { operatorPortFields } from '@postroom/rpc/operator-port';
import { serverFields } from '@postroom/rpc/server-fields';
import { count, secret, text, url } from '@postroom/runtime/config';
import { z } from 'zod';

/** Without TLS, anybody on the way could answer for the provider. */
function isSafeIssuer(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

const isCost = (cost: number) => Number.isInteger(Math.log2(cost)) && cost >= 2 ** 14 && cost <= 2 ** 20;

export const config = z.object({
  ...storeFields,
  ...serverFields,
  ...operatorPortFields,
  PASSWORD_COST: count
    .refine(isCost, 'expected a power of two from 16384 to 1048576')
    .default(2 ** 16)
    .describe(
      'The work of one password hash by scrypt, which takes 1 KiB of memory for each; two are computed at once.',
    ),
  OAUTH_ISSUER: url
    .optional()
    .describe('The address of the app, without a path. With `MCP_URL` it opens the OAuth 2.0 authorization server.'),
  MCP_URL: url.optional().describe('The address of the MCP server, for which access tokens are issued.'),
  OIDC_ISSUER: url
    .refine(isSafeIssuer, 'expected an https address, or http on this machine')
    .optional()
    .describe('The OpenID Connect provider that people sign in with. It needs `OIDC_CLIENT_ID`.'),
  OIDC_CLIENT_ID: text.optional().describe('The id of this installation at the OpenID Connect provider.'),
  OIDC_CLIENT_SECRET: secret
    .optional()
    .describe('The secret that belongs to `OIDC_CLIENT_ID`; public clients have none.'),
  OIDC_NAME: text.default('single sign-on').describe('The name of the OpenID Connect provider on the page of sign-in.'),
});

export type IdentityConfig = z.infer<typeof config>;
