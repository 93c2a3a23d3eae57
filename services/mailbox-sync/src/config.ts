import { storeFields } from '@postroom/mail-store/store-fields';
import { serverFields } from '@postroom/rpc/server-fields';
import { address, count, duration, positive, secret } from '@postroom/runtime/config';
import { z } from 'zod';

export const config = z.object({
  ...storeFields,
  ...serverFields,
  MAILBOX_WRITE_ADDR: address,
  WORKSPACE_OPERATOR_ADDR: address,
  MAILBOX_ACCESS_TOKEN: secret,
  // The most mailboxes that one process keeps connected; with none it only answers.
  MAX_MAILBOXES: count.default(2_000),
  // The number of mailboxes that it takes over in a second, and of logins to one host in a second.
  CLAIMS_PER_SECOND: positive.default(50),
  LOGINS_PER_HOST: positive.default(5),
  // Another process takes over a mailbox whose lease was not renewed for so long.
  MAILBOX_LEASE: duration.default(20_000),
  // The bound on all messages that are on their way through this process, in megabytes. With 140 there is room for two of
  // the largest messages, of different workspaces, beside a room for small ones.
  MEGABYTES_IN_FLIGHT: positive.default(140),
  // The time after which the connection of an unanswered command counts as dead.
  IMAP_TIMEOUT: duration.default(60_000),
  // The interval of scans without a notification: the inbox during IDLE, Sent and Drafts, all other folders.
  INBOX_SCAN: duration.default(300_000),
  SENT_SCAN: duration.default(60_000),
  FOLDER_SCAN: duration.default(300_000),
  // The interval for the inbox of a provider without notifications.
  POLL: duration.default(20_000),
});

export type Config = z.infer<typeof config>;
