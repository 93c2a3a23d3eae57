import { FEATURES } from '@postroom/contract/lists';
import { limiterFields } from '@postroom/limits/limiter-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { usageFields } from '@postroom/mail-store/usage-fields';
import { address, count, duration, port, positive, secret, someOf, text, url } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  HOST: text.default('0.0.0.0').describe('The address that the process listens on.'),
  HTTP_PORT: port.default(8080).describe('The port of the REST API.'),
  TRUSTED_PROXIES: count
    .default(0)
    .describe('The proxies in front of this process. Each appends the address that it saw to `X-Forwarded-For`.'),
  PUBLIC_URL: url
    .optional()
    .describe('The base address that callers use, ending with `/api/v1`. The API description names it.'),
  FEATURES: someOf(FEATURES)
    .default([])
    .describe('The parts of the API that are closed unless they are named here: `changes`, `webhooks`, `threads`.'),
  MCP_TOKEN: secret.optional().describe('The token of the MCP server, any long random text. Without it there is none.'),
  MCP_URL: url
    .optional()
    .describe('The address of the MCP server, where another one than this process answers it. `/mcp` leads there.'),
  WORKSPACE_ADDR: address,
  IDENTITY_ADDR: address,
  MAILBOX_READ_ADDR: address,
  MAILBOX_WRITE_ADDR: address,
  LABEL_RULE_ADDR: address,
  VIEW_FILTER_ADDR: address,
  OUTBOUND_SEND_ADDR: address,
  CHANGES_ADDR: address,
  WEBHOOK_DELIVERY_ADDR: address,
  ...storeFields,
  ...usageFields,
  ...limiterFields,
  MAX_IN_FLIGHT: positive
    .default(4_000)
    .describe('The number of requests in work beyond which the gateway refuses new ones at once.'),
  MAX_LAG: duration
    .default(2_000)
    .describe('The delay of the event loop beyond which the gateway refuses new requests at once.'),
  MAX_CALLS_PER_WORKSPACE: positive
    .default(8)
    .describe('The calls of one workspace in work at once in one process. Further calls wait for one of them.'),
  MAX_CONNECTIONS: positive
    .default(8_000)
    .describe('The connections of one process. At the bound, connections without a key make room for those with one.'),
  MAX_BODY_MEMORY: positive.default(50_331_648).describe('The bytes of all request bodies that are on their way in.'),
  MAX_UNREAD_ANSWERS: positive.default(67_108_864).describe('The bytes of all answers that callers have not read yet.'),
});

export type Config = z.infer<typeof config>;
