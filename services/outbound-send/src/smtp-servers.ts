import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { DirectoryStore } from './directory-store.ts';
import type { SmtpServer } from './smtp/delivery.ts';

/** How a service logs in to the mail server of a mailbox. */
export interface MailboxAccess {
  smtpAddress: string;
  user: string;
  password?: string | undefined;
  accessToken?: string | undefined;
}

interface Deps {
  directory: Pick<DirectoryStore, 'mailbox'>;
  /** Asked for when it is needed, and kept by nobody. */
  accessOf(workspaceId: string, mailboxId: string): Promise<MailboxAccess>;
  developmentAddress: string | undefined;
}

const IMPLICIT_TLS = 465;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)$/;
const BUDGET = { remainingMs: () => 10_000 };

/** Where a mailbox sends: by its own server, or by the development mail server where it has none. */
export function createSmtpServers({ directory, accessOf, developmentAddress }: Deps) {
  return async ({ workspaceId, mailboxId }: Pick<SendDocument, 'workspaceId' | 'mailboxId'>): Promise<SmtpServer> => {
    const mailbox = await directory.mailbox(workspaceId, mailboxId, BUDGET);
    if (!mailbox) throw new Error('the mailbox is gone');
    if (mailbox.provider === 'development') return developmentServer(developmentAddress);
    const { smtpAddress, user, password, accessToken } = await accessOf(workspaceId, mailboxId);
    const login = accessToken === undefined ? { user, password: password ?? '' } : { user, accessToken };
    return { ...serverAt(smtpAddress), login };
  };
}

function developmentServer(address: string | undefined): SmtpServer {
  if (address === undefined) throw new Error('no mail server is named for development mailboxes');
  const server = serverAt(address);
  if (!server.isPlain) throw new Error('the mail server of development mailboxes is on this machine only');
  return server;
}

/** TLS from the first byte on 465, else STARTTLS, without which nothing is sent; in the clear on this machine alone. */
export function serverAt(address: string): Omit<SmtpServer, 'login'> {
  const colon = address.lastIndexOf(':');
  const [host, port] = [address.slice(0, colon), Number(address.slice(colon + 1))];
  const isSecure = port === IMPLICIT_TLS;
  return { host, port, isSecure, isPlain: !isSecure && LOOPBACK.test(host) };
}
