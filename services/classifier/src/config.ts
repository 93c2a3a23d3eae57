import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { address, positive, secret, text, url } from '@postroom/runtime/config';
import { z } from 'zod';

const price = z.coerce.number('expected a price').min(0);

export const config = z.object({
  ...storeFields,
  ...busFields,
  MAILBOX_WRITE_ADDR: address,
  LABEL_RULE_ADDR: address,
  OUTBOUND_SEND_ADDR: address,
  /** An OpenAI-compatible endpoint, such as https://host/v1. Without one a small judge of words answers. */
  LLM_BASE_URL: url.optional(),
  LLM_API_KEY: secret.optional(),
  LLM_MODEL: text.default('gpt-4o-mini'),
  /** The price of a million tokens in any currency. The cost metric uses it. */
  LLM_INPUT_PRICE: price.default(0),
  LLM_OUTPUT_PRICE: price.default(0),
  /** The number of emails in classification at once, at most half of them of one workspace. Backfills have their own bound. */
  LLM_CONCURRENCY: positive.default(128),
});
