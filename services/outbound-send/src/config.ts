import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { operatorPortFields } from '@postroom/rpc/operator-port';
import { serverFields } from '@postroom/rpc/server-fields';
import { address, duration, positive, secret } from '@postroom/runtime/config';
import { z } from 'zod';
import { SEND_LEASE_MS } from './stored-sends/send-states.ts';

export const config = z.object({
  ...storeFields,
  ...busFields,
  ...serverFields,
  ...operatorPortFields,
  MAILBOX_WRITE_ADDR: address,
  LABEL_RULE_ADDR: address,
  MAILBOX_SYNC_ADDR: address,
  // The forwards of an hour. A forward past them waits for an hour with room, for a day at most.
  FORWARDS_PER_HOUR: positive.default(100),
  FORWARDS_PER_HOUR_OF_WORKSPACE: positive.default(1_000),
  // Each of them keeps its message in the database.
  FORWARDS_WAITING_OF_WORKSPACE: positive.default(5_000),
  // The automatic replies of one mailbox in an hour. More senders than that are likelier a flood than people.
  REPLIES_PER_HOUR_OF_MAILBOX: positive.default(100),
  // The admin API of workspace and its token. Without them only development mailboxes can send.
  WORKSPACE_OPERATOR_ADDR: address.optional(),
  MAILBOX_ACCESS_TOKEN: secret.optional(),
  // The server for development mailboxes, which have none of their own. It is on this machine.
  DEVELOPMENT_SMTP_ADDR: address.optional(),
  // The number of replies, forwards and left sends in work at once, without those with a slow server.
  SEND_WORKERS: positive.default(32),
  // The number of messages in transit at once: of this process, to one mail server, for one workspace; and, of all
  // processes together, for one mailbox (the strictest of the large providers accepts three).
  SENDS_AT_ONCE: positive.default(256),
  SENDS_PER_SERVER: positive.default(96),
  SENDS_PER_WORKSPACE: positive.default(16),
  SENDS_PER_MAILBOX: positive.default(3),
  // Replies and forwards of one mailbox in a minute, as providers put up with; what people send is not counted.
  SENDS_PER_MINUTE: positive.default(30),
  // The size of all messages with attachments that this process sends at once, in megabytes: two of the largest beside
  // smaller ones.
  MEGABYTES_IN_FLIGHT: positive.default(140),
  // Another process takes up a send whose holder has not renewed its lease for so long.
  SEND_LEASE: duration.default(SEND_LEASE_MS),
});

export type Config = z.infer<typeof config>;
