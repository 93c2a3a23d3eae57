import { busFields } from '@postroom/events/bus-fields';
import { storeFields } from '@postroom/mail-store/store-fields';
import { operatorPortFields } from '@postroom/rpc/operator-port';
import { serverFields } from '@postroom/rpc/server-fields';
import { address, secret, text } from '@postroom/runtime/config';
import { z } from 'zod';
import { isSafeEndpoint } from './requests/requests.ts';

/** It receives secrets of this installation or leads people to give theirs. */
const endpoint = text.refine(isSafeEndpoint, 'expected an https address, or http on this machine').optional();

export const config = z.object({
  ...storeFields,
  ...serverFields,
  ...operatorPortFields,
  ...busFields,
  MAILBOX_ACCESS_TOKEN: secret.optional().describe('The token of the services that log in to mail servers.'),
  APP_TOKEN: secret
    .optional()
    .describe('The token of the app, any long random text. Without it, the app is not served.'),
  GMAIL_CLIENT_ID: text
    .optional()
    .describe('The id of the OAuth client at Google. With it, people connect Gmail mailboxes by consent.'),
  GMAIL_CLIENT_SECRET: secret.optional().describe('The secret that belongs to `GMAIL_CLIENT_ID`.'),
  GMAIL_AUTHORIZATION_URL: endpoint.describe("The address where Google asks for consent, instead of Google's own."),
  GMAIL_TOKEN_URL: endpoint.describe("The token endpoint for Gmail, instead of Google's own."),
  GMAIL_IMAP_ADDR: address.optional().describe("The IMAP server of Gmail, instead of Google's own."),
  GMAIL_SMTP_ADDR: address.optional().describe("The SMTP server of Gmail, instead of Google's own."),
  MICROSOFT365_CLIENT_ID: text
    .optional()
    .describe(
      'The id of the application in Microsoft Entra. With it, people connect Microsoft 365 mailboxes by consent.',
    ),
  MICROSOFT365_CLIENT_SECRET: secret
    .optional()
    .describe('The secret that belongs to `MICROSOFT365_CLIENT_ID`; public clients have none.'),
  MICROSOFT365_AUTHORIZATION_URL: endpoint.describe(
    'The address where Microsoft asks for consent, such as that of one tenant, instead of the one for all tenants.',
  ),
  MICROSOFT365_TOKEN_URL: endpoint.describe(
    'The token endpoint of Microsoft 365, such as that of one tenant, instead of the one for all tenants.',
  ),
  MICROSOFT365_IMAP_ADDR: address
    .optional()
    .describe('The IMAP server of Microsoft 365, such as that of a national cloud, instead of the usual one.'),
  MICROSOFT365_SMTP_ADDR: address
    .optional()
    .describe('The SMTP server of Microsoft 365, such as that of a national cloud, instead of the usual one.'),
  SECRET_KEYS: text
    .optional()
    .describe('A folder with one key in each file. The last by name seals; all of them open.'),
});

export type Config = z.infer<typeof config>;
