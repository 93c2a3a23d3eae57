import { storeFields } from '@postroom/mail-store/store-fields';
import { operatorPortFields } from '@postroom/rpc/operator-port';
import { serverFields } from '@postroom/rpc/server-fields';
import { address, flag, positive, text } from '@postroom/runtime/config';
import { z } from 'zod';

const ROUTE = /^[a-z0-9.-]+=(\d+(\.\d+){3}|\[[0-9a-f:.]+\]):\d{1,5}$/i;
const DELAYS = /^\d+(\.\d+)?(,\d+(\.\d+)?){3}$/;

/** Each is refused unless POSTROOM_DEVELOPMENT is true. */
const developmentFields = {
  WEBHOOK_ROUTES: z
    .string()
    .transform((list) => list.split(',').map((item) => item.trim()))
    .pipe(z.array(z.string().regex(ROUTE, 'expected host=address:port, with commas between')))
    .optional()
    .describe(
      'Development alone: hosts that are reached elsewhere, as if that were public: `host=address:port`, with commas between.',
    ),
  WEBHOOK_CA: text.optional().describe('Development alone: PEM of another authority that is trusted.'),
  WEBHOOK_DELAYS: z
    .string()
    .regex(DELAYS, 'expected four delays in seconds, with commas between')
    .transform((list) => list.split(',').map((item) => Number(item) * 1_000))
    .optional()
    .describe('Development alone: four delays in seconds, in place of 5 minutes, 30 minutes, 2 hours and 6 hours.'),
  WEBHOOK_DISABLE_AFTER: positive.optional().describe('Development alone: seconds, in place of three days.'),
  WEBHOOK_NAME_SERVER: address
    .optional()
    .describe('Development alone: the name server that is asked, as `address:port`.'),
};

export const config = z
  .object({
    ...storeFields,
    ...serverFields,
    ...operatorPortFields,
    CHANGES_ADDR: address,
    SECRET_KEYS: text
      .optional()
      .describe('A folder with one key in each file. The last by name seals; all of them open.'),
    ATTEMPTS_IN_FLIGHT: positive
      .default(2_048)
      .describe('The attempts of this process at once. One workspace has half of them at most.'),
    POSTROOM_DEVELOPMENT: flag.default(false).describe('Allows the variables that are for development alone.'),
    ...developmentFields,
  })
  .superRefine((settings, { addIssue }) => {
    if (settings.POSTROOM_DEVELOPMENT) return;
    const names = Object.keys(developmentFields) as (keyof typeof developmentFields)[];
    const message = 'it is for development alone, where POSTROOM_DEVELOPMENT is true';
    for (const name of names.filter((given) => settings[given] !== undefined))
      addIssue({ code: 'custom', path: [name], message });
  });

export type Config = z.infer<typeof config>;
