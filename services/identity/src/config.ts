import { storeFields } from '@postroom/mail-store/store-fields';
import { operatorPortFields } from '@postroom/rpc/operator-port';
import { serverFields } from '@postroom/rpc/server-fields';
import { url } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...serverFields,
  ...operatorPortFields,
  OAUTH_ISSUER: url
    .optional()
    .describe('The address of the app, without a path. With `MCP_URL` it opens the OAuth 2.0 authorization server.'),
  MCP_URL: url.optional().describe('The address of the MCP server, for which access tokens are issued.'),
});

export type IdentityConfig = z.infer<typeof config>;
