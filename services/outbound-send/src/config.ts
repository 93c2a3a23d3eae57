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
  FORWARDS_PER_HOUR: positive
    .default(100)
    .describe(
      'The forwards of one rule in an hour. A forward past them waits for an hour with room, for a day at most.',
    ),
  FORWARDS_PER_HOUR_OF_WORKSPACE: positive.default(1_000).describe('The forwards of one workspace in an hour.'),
  FORWARDS_WAITING_OF_WORKSPACE: positive
    .default(5_000)
    .describe('The forwards of one workspace that wait. Each keeps its message in the database.'),
  REPLIES_PER_HOUR_OF_MAILBOX: positive
    .default(100)
    .describe(
      'The automatic replies of one mailbox in an hour. More senders than that are likelier a flood than people.',
    ),
  AGENT_SENDS_PER_DAY: positive
    .default(200)
    .describe('The sends that one OAuth client asks for in one day, for one person. Waiting approvals count.'),
  WORKSPACE_OPERATOR_ADDR: address.optional(),
  MAILBOX_ACCESS_TOKEN: secret.optional().describe('The token of the services that log in to mail servers.'),
  DEVELOPMENT_SMTP_ADDR: address
    .optional()
    .describe('The mail server for development mailboxes, which have none of their own. It is on this machine.'),
  SEND_WORKERS: positive
    .default(32)
    .describe('The number of replies, forwards and left sends in work at once, without those with a slow server.'),
  SENDS_AT_ONCE: positive.default(256).describe('The messages in transit at once of this process.'),
  SENDS_PER_SERVER: positive.default(96).describe('The messages in transit at once to one mail server.'),
  SENDS_PER_WORKSPACE: positive.default(16).describe('The messages in transit at once for one workspace.'),
  SENDS_PER_MAILBOX: positive
    .default(3)
    .describe(
      'The messages in transit at once for one mailbox, of all processes together. The strictest large provider accepts three.',
    ),
  SENDS_PER_MINUTE: positive
    .default(30)
    .describe('The replies and forwards of one mailbox in a minute. Messages that people send are not counted.'),
  MEGABYTES_IN_FLIGHT: positive
    .default(140)
    .describe(
      'The size of all messages with attachments that this process sends at once, in megabytes: two of the largest beside smaller ones.',
    ),
  SEND_LEASE: duration
    .default(SEND_LEASE_MS)
    .describe('Another process takes up a send whose holder has not renewed its lease for so long.'),
});

export type Config = z.infer<typeof config>;
