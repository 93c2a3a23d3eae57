import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { usageFields } from '@postroom/mail-store/usage-fields';
import { serverFields } from '@postroom/rpc/server-fields';
import { address, fetchedUrl, positive, secret, text } from '@postroom/runtime/config';
import { z } from 'zod';

const price = z.coerce.number('expected a price').min(0);

export const config = z.object({
  ...storeFields,
  ...usageFields,
  ...serverFields,
  ...busFields,
  MAILBOX_WRITE_ADDR: address,
  LABEL_RULE_ADDR: address,
  OUTBOUND_SEND_ADDR: address,
  LLM_BASE_URL: fetchedUrl.describe('The endpoint of the model, compatible with OpenAI, such as `https://host/v1`.'),
  LLM_API_KEY: secret.optional().describe('The key of that endpoint.'),
  LLM_MODEL: text.default('gpt-4o-mini').describe('The model to ask.'),
  LLM_INPUT_PRICE: price
    .default(0)
    .describe('The price of a million input tokens in any currency, for the cost of calls.'),
  LLM_OUTPUT_PRICE: price.default(0).describe('The price of a million output tokens, for the cost of calls.'),
  LLM_CONCURRENCY: positive
    .default(128)
    .describe(
      'The number of emails in classification at once, at most half of them of one workspace. Backfills have their own bound.',
    ),
});
