import { address, count, port, positive, secret, text, url } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  HOST: text.default('0.0.0.0').describe('The address that the process listens on.'),
  HTTP_PORT: port.default(8080).describe('The port of the MCP server.'),
  TRUSTED_PROXIES: count
    .default(0)
    .describe('The proxies in front of this process. Each appends the address that it saw to `X-Forwarded-For`.'),
  GATEWAY_ADDR: address,
  MCP_TOKEN: secret.describe(
    'Any long random text, the same as that of the gateway, which knows the MCP server by it.',
  ),
  MCP_URL: url.describe('The public address of the server, as clients name it and as access tokens are issued for it.'),
  OAUTH_ISSUER: url
    .optional()
    .describe('The authorization server that clients are sent to. Without it, they connect with API keys.'),
  MAX_IN_FLIGHT: positive.default(2_000).describe('The requests under way at once; one more is asked to come back.'),
});
