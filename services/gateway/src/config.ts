import { limiterFields } from '@postroom/limits/limiter-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { address, duration, port, positive, text, url } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  HOST: text.default('0.0.0.0'),
  HTTP_PORT: port.default(8080),
  // The base address callers use, ending with /api/v1; the API description names it.
  PUBLIC_URL: url.optional(),
  WORKSPACE_ADDR: address,
  MAILBOX_READ_ADDR: address,
  MAILBOX_WRITE_ADDR: address,
  LABEL_RULE_ADDR: address,
  VIEW_FILTER_ADDR: address,
  ...storeFields,
  ...limiterFields,
  // Beyond either bound the gateway refuses quickly instead of answering everyone late.
  MAX_IN_FLIGHT: positive.default(4_000),
  MAX_LAG: duration.default(2_000),
});

export type Config = z.infer<typeof config>;
