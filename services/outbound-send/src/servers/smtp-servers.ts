import type { SendDocument } from '@postroom/mail-store/documents/send';
import { serverAt } from '@postroom/mail-server/server-address';
import { QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import type { MailboxAccess as MailboxAccessMessage } from '@postroom/proto/postroom/v1/workspace';
import type { SendDirectoryStore } from '../directory/directory-store.ts';
import type { SmtpLogin, SmtpServer } from '../smtp/delivery.ts';

/** The address and the login of a mailbox at its SMTP server. */
export type MailboxAccess = Pick<
  MailboxAccessMessage,
  'smtpAddress' | 'user' | 'password' | 'accessToken' | 'tokenEpoch' | 'ca'
>;

interface Deps {
  directory: Pick<SendDirectoryStore, 'mailbox'>;
  /** Called when the credentials are needed; nothing stores them. */
  accessOf(workspaceId: string, mailboxId: string, refusedTokenEpoch?: number): Promise<MailboxAccess>;
  developmentAddress: string | undefined;
}

/** A mailbox sends by its own server. A development mailbox has none, and sends by the development mail server. */
export function createSmtpServers({ directory, accessOf, developmentAddress }: Deps) {
  return async ({ workspaceId, mailboxId }: Pick<SendDocument, 'workspaceId' | 'mailboxId'>): Promise<SmtpServer> => {
    const mailbox = await directory.mailbox(workspaceId, mailboxId, QUERY_BUDGET);
    if (!mailbox) throw new Error('the mailbox is gone');
    if (mailbox.provider === 'development') return developmentServer(developmentAddress);
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
