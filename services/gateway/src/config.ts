import { FEATURES } from '@postroom/contract/lists';
import { limiterFields } from '@postroom/limits/limiter-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { address, count, duration, port, positive, someOf, text, url } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  HOST: text.default('0.0.0.0'),
  HTTP_PORT: port.default(8080),
  // Proxies in front of this process. Each appends the address that it saw to X-Forwarded-For.
  TRUSTED_PROXIES: count.default(0),
  // The base address callers use, ending with /api/v1; the API description names it.
  PUBLIC_URL: url.optional(),
  // The parts of the API that are closed unless they are named here.
  FEATURES: someOf(FEATURES).default([]),
  WORKSPACE_ADDR: address,
  MAILBOX_READ_ADDR: address,
  MAILBOX_WRITE_ADDR: address,
  LABEL_RULE_ADDR: address,
  VIEW_FILTER_ADDR: address,
  OUTBOUND_SEND_ADDR: address,
  CHANGES_ADDR: address,
  WEBHOOK_DELIVERY_ADDR: address,
  ...storeFields,
  ...limiterFields,
  // Beyond either bound the gateway refuses quickly instead of answering everyone late.
  MAX_IN_FLIGHT: positive.default(4_000),
  MAX_LAG: duration.default(2_000),
  // Calls of one workspace beyond this wait for its own: well below a service's connections to its database, so that
  // nobody holds all of them.
  MAX_CALLS_PER_WORKSPACE: positive.default(8),
  // Bounds of what callers may take of the process, all of them together: connections, bytes of bodies on their way in,
  // bytes of answers they have yet to take.
  MAX_CONNECTIONS: positive.default(8_000),
  MAX_BODY_MEMORY: positive.default(50_331_648),
  MAX_UNREAD_ANSWERS: positive.default(67_108_864),
});

export type Config = z.infer<typeof config>;
