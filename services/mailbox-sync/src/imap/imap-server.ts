import { LARGEST_MESSAGE } from '@postroom/mail-store/stored-bytes';
import { serverAt } from '@postroom/mail-server/server-address';
import type { ImapFlowOptions } from 'imapflow';
import { providerAt } from './provider.ts';

/** The options for a login to the mail server of a mailbox. */
export interface ImapAccess {
  imapAddress: string;
  user: string;
  password?: string | undefined;
  accessToken?: string | undefined;
  /** PEM of the authority behind its certificate, when that is not a public one. */
  ca?: string | undefined;
}

const MEGABYTE = 1024 * 1024;
/** The longest line is a list of UIDs; see `uids` of fetching. Nothing longer than a message is ever asked for. */
const LONGEST_LINE = 2 * MEGABYTE;
const BOUNDS = {
  maxLineLength: LONGEST_LINE,
  maxLiteralSize: LARGEST_MESSAGE,
  maxResponseSize: LARGEST_MESSAGE + LONGEST_LINE,
};

/** Without compression, which costs four times the memory, and without idling of its own. */
export function clientOptions(access: ImapAccess, timeoutMs: number): ImapFlowOptions {
  const { user, password, accessToken, ca } = access;
  const { host, port, security } = serverAt(access.imapAddress, ca);
  return {
    host,
    port,
    secure: security === 'tls',
    // STARTTLS is required or not tried. Without a value the library would decide by itself.
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    auth: { user, ...(accessToken === undefined ? { pass: password ?? '' } : { accessToken }) },
    ...(ca && { tls: { ca } }),
    logger: false,
    disableCompression: true,
    disableAutoIdle: true,
    qresync: providerAt(host).isQresyncSound,
    greetingTimeout: 10_000,
    connectionTimeout: 15_000,
    socketTimeout: timeoutMs,
    maxIdleTime: 240_000,
    ...BOUNDS,
  };
}
