import { FEATURES } from '@postroom/contract/lists';
import { address, count, port, secret, someOf, text, url } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  HOST: text.default('0.0.0.0').describe('The address that the process listens on.'),
  HTTP_PORT: port.default(8080).describe('The port of the pages and their calls.'),
  APP_URL: url.describe(
    'The address that people open, without a path, such as `https://mail.example.com`. With https, cookies are for TLS alone.',
  ),
  API_URL: url
    .optional()
    .describe('The base address of the REST API, ending with `/api/v1`. The pages show it in examples.'),
  APP_PAGES: text
    .optional()
    .describe('The folder of the built pages; without it the one that is built beside the service.'),
  TRUSTED_PROXIES: count
    .default(0)
    .describe('The proxies in front of this process. Each appends the address that it saw to `X-Forwarded-For`.'),
  FEATURES: someOf(FEATURES)
    .default([])
    .describe('The closed parts of the API that the pages show: those of the gateway.'),
  IDENTITY_ADDR: address,
  WORKSPACE_ADDR: address,
  MAILBOX_READ_ADDR: address,
  MAILBOX_SYNC_ADDR: address,
  MAILBOX_WRITE_ADDR: address,
  OUTBOUND_SEND_ADDR: address,
  LABEL_RULE_ADDR: address,
  CLASSIFIER_ADDR: address,
  VIEW_FILTER_ADDR: address,
  WEBHOOK_DELIVERY_ADDR: address.optional(),
  CHANGES_ADDR: address.optional(),
  APP_TOKEN: secret.describe(
    'Any long random text, the same as that of workspace. Owners and admins make keys and connect mailboxes by it.',
  ),
});

export type AppConfig = z.infer<typeof config>;
