import type { ImapFlowOptions } from 'imapflow';

/** How a service logs in to the mail server of a mailbox. */
export interface ImapAccess {
  imapAddress: string;
  user: string;
  password?: string | undefined;
  accessToken?: string | undefined;
  /** PEM of the authority behind its certificate, when that is not a public one. */
  ca?: string | undefined;
}

const IMPLICIT_TLS = 993;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/;

export interface ImapServer {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** TLS after STARTTLS, which is insisted on; neither of the two only on this very machine. */
  doSTARTTLS: boolean;
}

/** TLS from the first byte on 993, else STARTTLS, without which nothing is said; in the clear on this machine alone. */
export function serverAt({ imapAddress, ca }: Pick<ImapAccess, 'imapAddress' | 'ca'>): ImapServer {
  const colon = imapAddress.lastIndexOf(':');
  const host = imapAddress.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  const port = Number(imapAddress.slice(colon + 1));
  const secure = port === IMPLICIT_TLS;
  const isPlain = !ca && LOOPBACK.test(host);
  return { host, port, secure, doSTARTTLS: !secure && !isPlain };
}

/** Without compression, which costs four times the memory, and without idling of its own. */
export function clientOptions(access: ImapAccess, timeoutMs: number): ImapFlowOptions {
  const { user, password, accessToken, ca } = access;
  const { secure, doSTARTTLS, ...place } = serverAt(access);
  return {
    ...place,
    secure,
    ...(!secure && { doSTARTTLS }),
    auth: { user, ...(accessToken === undefined ? { pass: password ?? '' } : { accessToken }) },
    ...(ca && { tls: { ca } }),
    logger: false,
    disableCompression: true,
    disableAutoIdle: true,
    qresync: true,
    greetingTimeout: 10_000,
    connectionTimeout: 15_000,
    socketTimeout: timeoutMs,
    maxIdleTime: 240_000,
  };
}
