import SMTPConnection, { type SMTPConnectionAuth } from 'nodemailer/lib/smtp-connection';
import XOAuth2 from 'nodemailer/lib/xoauth2';
import { systemClock } from '@postroom/runtime/clock';
import { startTimer } from '@postroom/runtime/timer';
import { within } from '@postroom/runtime/within';
import type { SmtpLogin, SmtpServer } from './delivery.ts';

export interface SmtpLimits {
  connectMs: number;
  /** Silence of the server in the middle of a message; its answer to the whole of one may take minutes (RFC 5321). */
  silenceMs: number;
  /** Limits the whole login: a server that sends a little now and then never reaches the limit on silence. */
  loginMs: number;
  /** Limits the delivery of one message for the same reason. */
  messageMs: number;
}

// The greeting times out before the caller's ten seconds end, so the caller learns that nothing was sent.
export const defaultLimits: SmtpLimits = {
  connectMs: 8_000,
  silenceMs: 120_000,
  loginMs: 60_000,
  messageMs: 10 * 60_000,
};

/** The server cannot do what this message or mailbox needs; nothing was sent. */
export class SmtpUnfit extends Error {}

/** Connects, encrypts if required, and logs in. The caller closes the connection. */
export async function openSmtpConnection(server: SmtpServer, limits: SmtpLimits): Promise<SMTPConnection> {
  const { login } = server;
  try {
    return await openOnce(server, limits);
  } catch (error) {
    if (!login || !('accessToken' in login) || !login.another || !isLoginRefused(error)) throw error;
    // The token may have expired on the way, so the login is tried once more with a new one.
    const accessToken = await login.another();
    if (accessToken === undefined) throw error;
    return openOnce({ ...server, login: { user: login.user, accessToken } }, limits);
  }
}

/** A server that refuses logins only for now answers with a lower code. */
const FINAL = 500;

/** For a refused token, the library requests another one itself; its error has no response code then. */
export function isLoginRefused(error: unknown): boolean {
  const { code, responseCode = FINAL } = error as { code?: string; responseCode?: number };
  return code === 'EAUTH' && responseCode >= FINAL;
}

/** The extensions are read from private fields: the library only shows the last answer, which is that of the login. */
export function offersOf(connection: SMTPConnection): { extensions: readonly string[]; largestMessage: number } {
  const { _supportedExtensions: extensions = [], _maxAllowedSize: largestMessage = 0 } = connection as unknown as {
    _supportedExtensions?: string[];
    _maxAllowedSize?: number;
  };
  return { extensions, largestMessage };
}

/** Says goodbye. The limit on silence does not end a server that drips its answer, so the whole of it has that time. */
export function sayGoodbye(connection: SMTPConnection, { silenceMs }: SmtpLimits): void {
  const cancel = startTimer(systemClock, silenceMs, () => connection.close());
  connection.once('end', cancel);
  connection.quit();
}

async function openOnce(server: SmtpServer, limits: SmtpLimits): Promise<SMTPConnection> {
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    requireTLS: !server.isSecure && !server.isPlain,
    ignoreTLS: server.isPlain,
    tls: { ...(server.ca && { ca: server.ca }), minVersion: 'TLSv1.2' },
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.silenceMs,
  });
  try {
    await inTime(limits.loginMs, letIn(connection, server));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The caller that gets the error of the time limit closes the connection. */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const tooLate = () => Object.assign(new Error('the server took too long'), { code: 'ETIMEDOUT' });
  return within({ ms, clock: systemClock, tooLate }, () => work);
}

async function letIn(connection: SMTPConnection, { login }: SmtpServer): Promise<void> {
  await connected(connection);
  if (login) await loggedIn(connection, login);
}

function connected(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    // An error may also come after the connection. The callback of the current command reports it then.
    connection.on('error', reject);
    connection.once('end', () => reject(new Error('the server closed the connection')));
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
}

function loggedIn(connection: SMTPConnection, login: SmtpLogin): Promise<void> {
  // Without this check, nodemailer continues without a login if the server offers none.
  if (!connection.allowsAuth) throw new SmtpUnfit('the server offers no login on this connection');
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    connection.login(asAuth(login), (error) => (error ? reject(error) : resolve()));
  });
}

function asAuth(login: SmtpLogin): SMTPConnectionAuth {
  if ('password' in login) return { user: login.user, credentials: { user: login.user, pass: login.password } };
  const { user, accessToken } = login;
  const oauth2 = new XOAuth2({ user, accessToken });
  // Tokens are never renewed here: the library would send the refused token again.
  oauth2.getToken = (isRefused, done) => {
    if (isRefused) done(new Error('the access token was refused'), '');
    else done(null, accessToken);
  };
  return { user, oauth2 };
}
