import { storeFields } from '@postroom/mail-store/store-fields';
import { serverFields } from '@postroom/rpc/server-fields';
import { port, secret, text } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...serverFields,
  // The second door. What stands behind it is there for those alone who bring the token, and not at all without one.
  OPERATOR_PORT: port.default(50052),
  OPERATOR_TOKEN: secret.optional(),
  // Of the services that log in to mail servers.
  MAILBOX_ACCESS_TOKEN: secret.optional(),
  // A folder of keys, each a file; the last by name seals, all of them open.
  SECRET_KEYS: text.optional(),
});

export type Config = z.infer<typeof config>;
