import type { SendDocument } from '@postroom/mail-store/documents/send';
import { serverAt } from '@postroom/mail-server/server-address';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { MailboxAccess as MailboxAccessMessage } from '@postroom/proto/postroom/v1/workspace';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import type { MailReaderStore } from '../mail-reader/mail-reader-store.ts';
import type { SmtpLogin, SmtpServer } from '../smtp/delivery.ts';

/** The address and the login of a mailbox at its SMTP server. */
type MailboxAccess = Pick<
  MailboxAccessMessage,
  'smtpAddress' | 'user' | 'password' | 'accessToken' | 'tokenEpoch' | 'ca'
>;

interface Deps {
  mailReader: Pick<MailReaderStore, 'mailbox'>;
  /** Called when the credentials are needed; nothing stores them. */
  accessOf(workspaceId: string, mailboxId: string, refusedTokenEpoch?: number): Promise<MailboxAccess>;
  developmentAddress: string | undefined;
}

const MOST_KNOWN = 10_000;

/** A mailbox sends by its own server. A development mailbox has none, and sends by the development mail server. */
export function createSmtpServers({ mailReader, accessOf, developmentAddress }: Deps) {
  // The provider of a mailbox never changes. Whether the mailbox is still there is checked before a send, and by `accessOf`.
  const behindServers = createRecentIds(MOST_KNOWN);
  const forDevelopment = createRecentIds(MOST_KNOWN);
  const isDevelopment = async (workspaceId: string, mailboxId: string): Promise<boolean> => {
    if (behindServers.has(mailboxId)) return false;
    if (forDevelopment.has(mailboxId)) return true;
    const mailbox = await mailReader.mailbox(workspaceId, mailboxId, QUERY_BUDGET);
    if (!mailbox) throw new Error('the mailbox is gone');
    const is = mailbox.provider === 'development';
    (is ? forDevelopment : behindServers).add(mailboxId);
    return is;
  };
  return async ({ workspaceId, mailboxId }: Pick<SendDocument, 'workspaceId' | 'mailboxId'>): Promise<SmtpServer> => {
    if (await isDevelopment(workspaceId, mailboxId)) return developmentServer(developmentAddress);
    const access = await accessOf(workspaceId, mailboxId);
    const another = async () => {
      const renewed = await accessOf(workspaceId, mailboxId, access.tokenEpoch);
      return renewed.accessToken;
    };
    return smtpServer(access.smtpAddress, access.ca, loginOf(access, another));
  };
}

function developmentServer(address: string | undefined): SmtpServer {
  if (address === undefined) throw new Error('no mail server is named for development mailboxes');
  const server = smtpServer(address, undefined, undefined);
  if (!server.isPlain) throw new Error('the mail server of development mailboxes is on this machine only');
  return server;
}

export function smtpServer(address: string, ca: string | undefined, login: SmtpLogin | undefined): SmtpServer {
  const { host, port, security } = serverAt(address, ca);
  return { host, port, isSecure: security === 'tls', isPlain: security === 'plain', ca: ca || undefined, login };
}

export function loginOf(
  { user, password = '', accessToken }: Pick<MailboxAccess, 'user' | 'password' | 'accessToken'>,
  another?: () => Promise<string | undefined>,
): SmtpLogin {
  return accessToken === undefined ? { user, password } : { user, accessToken, another };
}
