import { createHash } from 'node:crypto';
import { storeFields } from '@postroom/mail-store/store-fields';
import { serverFields } from '@postroom/rpc/server-fields';
import { address, positive, secret } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...serverFields,
  MAILBOX_SYNC_ADDR: address,
  MEGABYTES_IN_FLIGHT: positive
    .default(200)
    .describe(
      'The memory for messages whose attachments this process reads at once, in megabytes: two of the largest beside smaller ones.',
    ),
  CURSOR_SECRET: secret
    .optional()
    .describe(
      'The secret that seals cursors. Without it, replicas derive the same one from the address of the database, which is for development.',
    ),
});

type Config = z.infer<typeof config>;

/**
 * The secret that seals cursors. Without it, replicas derive the same one from the address of the database, which is for
 * development and tests.
 */
export function cursorSecret({ CURSOR_SECRET, MONGODB_URI }: Config): string {
  return CURSOR_SECRET ?? createHash('sha256').update(`postroom cursor ${MONGODB_URI}`).digest('hex');
}
