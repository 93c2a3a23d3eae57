import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { secondDoorFields } from '@postroom/rpc/second-door';
import { serverFields } from '@postroom/rpc/server-fields';
import { address, duration, positive, secret } from '@postroom/runtime/config';
import { z } from 'zod';
import { LEASE_MS } from './sending/states.ts';

export const config = z.object({
  ...storeFields,
  ...busFields,
  ...serverFields,
  ...secondDoorFields,
  MAILBOX_WRITE_ADDR: address,
  LABEL_RULE_ADDR: address,
  MAILBOX_SYNC_ADDR: address,
  // The forwards of an hour. A forward past them waits for an hour with room, for a day at most.
  FORWARDS_PER_HOUR: positive.default(100),
  FORWARDS_PER_HOUR_OF_WORKSPACE: positive.default(1_000),
  // Each of them keeps its message in the database.
  FORWARDS_WAITING_OF_WORKSPACE: positive.default(5_000),
  // What one mailbox answers by itself in an hour: more strangers than that are likelier a flood than people.
  REPLIES_PER_HOUR_OF_MAILBOX: positive.default(100),
  // The second door of workspace and what opens it: without them only development mailboxes can send.
  WORKSPACE_OPERATOR_ADDR: address.optional(),
  MAILBOX_ACCESS_TOKEN: secret.optional(),
  // Where mailboxes without a mail server of their own send: a server on this very machine.
  DEVELOPMENT_SMTP_ADDR: address.optional(),
  // How many replies, forwards and left sends are worked on at once, those not counted whose server is slow.
  SEND_WORKERS: positive.default(32),
  // How many messages are on their way at once: through this process, to one mail server, for one workspace; and, through
  // all processes together, for one mailbox (the strictest of the large providers takes three).
  SENDS_AT_ONCE: positive.default(256),
  SENDS_PER_SERVER: positive.default(96),
  SENDS_PER_WORKSPACE: positive.default(16),
  SENDS_PER_MAILBOX: positive.default(3),
  // Replies and forwards of one mailbox in a minute, as providers put up with; what people send is not counted.
  SENDS_PER_MINUTE: positive.default(30),
  // What all messages with attachments that are on their way through this process may weigh together, in megabytes: two of
  // the largest beside smaller ones.
  MEGABYTES_IN_FLIGHT: positive.default(140),
  // After so long without a sign of life somebody else takes a send up.
  SEND_LEASE: duration.default(LEASE_MS),
});

export type Config = z.infer<typeof config>;
