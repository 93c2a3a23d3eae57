import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { operatorPortFields } from '@postroom/rpc/operator-port';
import { serverFields } from '@postroom/rpc/server-fields';
import { secret, text } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...serverFields,
  ...operatorPortFields,
  ...busFields,
  MAILBOX_ACCESS_TOKEN: secret.optional().describe('The token of the services that log in to mail servers.'),
  APP_TOKEN: secret
    .optional()
    .describe('The token of the app, any long random text. Without it, the app is not served.'),
  SECRET_KEYS: text
    .optional()
    .describe('A folder with one key in each file. The last by name seals; all of them open.'),
});

export type Config = z.infer<typeof config>;
