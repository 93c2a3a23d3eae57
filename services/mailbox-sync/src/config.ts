import { storeFields } from '@postroom/mail-store/store-fields';
import { serverFields } from '@postroom/rpc/server-fields';
import { address, count, duration, positive, secret } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...serverFields,
  MAILBOX_WRITE_ADDR: address,
  WORKSPACE_OPERATOR_ADDR: address,
  MAILBOX_ACCESS_TOKEN: secret.describe('The token of the services that log in to mail servers.'),
  MAX_MAILBOXES: count
    .default(2_000)
    .describe('The most mailboxes that one process keeps connected. With 0 it only answers.'),
  CLAIMS_PER_SECOND: positive.default(50).describe('The number of mailboxes that one process takes over in a second.'),
  LOGINS_PER_HOST: positive.default(5).describe('The number of logins to one host in a second.'),
  MAILBOX_LEASE: duration
    .default(20_000)
    .describe('Another process takes over a mailbox whose lease was not renewed for so long.'),
  MEGABYTES_IN_FLIGHT: positive
    .default(140)
    .describe(
      'The size of all messages that are on their way through this process, in megabytes. With 140, two of the largest, of different workspaces, fit beside small ones.',
    ),
  IMAP_TIMEOUT: duration
    .default(60_000)
    .describe('The time after which the connection of an unanswered command counts as dead.'),
  INBOX_SCAN: duration.default(300_000).describe('The interval of scans of the inbox during IDLE.'),
  SENT_SCAN: duration.default(60_000).describe('The interval of scans of Sent and Drafts.'),
  FOLDER_SCAN: duration.default(300_000).describe('The interval of scans of all other folders.'),
  POLL: duration.default(20_000).describe('The interval of scans of the inbox at a provider without notifications.'),
});

export type Config = z.infer<typeof config>;
