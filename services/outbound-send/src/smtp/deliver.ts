import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isInternational, toAsciiDomain } from './address.ts';
import { defaultLimits, inTime, offersOf, openConnection, type SmtpLimits, SmtpUnfit } from './connection.ts';
import type { Delivery, DeliverySteps, OutgoingMessage, RefusedRecipient, SmtpServer } from './delivery.ts';
import { guardMessage } from './guarded-message.ts';

interface SmtpError extends Error {
  code?: string;
  /** The server's own number, where it gave one. */
  responseCode?: number | undefined;
  /** What it answered to, or CONN. */
  command?: string | undefined;
  recipient?: string | undefined;
  rejectedErrors?: SmtpError[] | undefined;
}

interface SendInfo {
  response: string;
  serverMessageId?: string | undefined;
  rejectedErrors?: SmtpError[] | undefined;
}

/** One attempt on a connection of its own: a message goes out once, or surely not, or is told as unknown. */
export async function deliver(
  server: SmtpServer,
  message: OutgoingMessage,
  steps: DeliverySteps,
  limits: SmtpLimits = defaultLimits,
): Promise<Delivery> {
  let connection: SMTPConnection;
  try {
    connection = await openConnection(server, limits);
    refuseUnfit(connection, message);
  } catch (error) {
    return notSent(error as SmtpError, message);
  }
  const toRefused = (error: SmtpError) => refusedRecipient(error, message.to);
  const { stream, wasHandedOver } = guardMessage(message.bytes, {
    dataStarted: () => steps.dataStarted(rejectedBy(connection).map(toRefused)),
    dataEnding: () => steps.dataEnding(),
  });
  try {
    const info = await inTime(limits.messageMs, send(connection, message, stream));
    connection.quit();
    return {
      outcome: 'accepted',
      response: info.response,
      serverMessageId: info.serverMessageId ?? null,
      refused: (info.rejectedErrors ?? []).map(toRefused),
    };
  } catch (error) {
    connection.close();
    const failure = error as SmtpError;
    // Only a "no" settles it, however late it came: after any other answer what was handed over may have been taken.
    if (wasHandedOver() && !isNo(failure)) return { outcome: 'unknown', reason: failure.message };
    return notSent(failure, message);
  }
}

/** Nodemailer would send such an address to a server that cannot read it. */
function refuseUnfit(connection: SMTPConnection, { from, to }: OutgoingMessage): void {
  if (![from, ...to].some(isInternational) || offersOf(connection).extensions.includes('SMTPUTF8')) return;
  connection.close();
  throw new SmtpUnfit('the server takes no addresses beyond ASCII (no SMTPUTF8)');
}

function send(
  connection: SMTPConnection,
  { operation, from, to, bytes }: OutgoingMessage,
  stream: NodeJS.ReadableStream,
): Promise<SendInfo> {
  // Asked for where the server knows of it: reports on what failed or waits, which name the send (RFC 3461).
  const dsn = { id: operation, return: 'headers', notify: ['failure', 'delay'] };
  const envelope = { from: toAsciiDomain(from), to: to.map(toAsciiDomain), size: bytes.length, dsn };
  return new Promise((resolve, reject) => {
    connection.send(envelope, stream as never, (error, info) => (error || !info ? reject(error) : resolve(info)));
  });
}

function notSent(error: SmtpError, { to }: OutgoingMessage): Delivery {
  const refused = (error.rejectedErrors ?? []).map((one) => refusedRecipient(one, to));
  return {
    outcome: 'refused',
    reason: sentenceOf(error),
    ...(error.responseCode === undefined && { cause: error }),
    // Where some are refused for good and some put off, the latter may take it yet.
    isFinal: refused.length > 0 ? refused.every((one) => one.isFinal) : isFinal(error),
    isServed: isServed(error),
    refused,
  };
}

/** What the server said, or a sentence for people where it said nothing: the cause names addresses and goes to the log. */
function sentenceOf(error: SmtpError): string {
  const { code = '', responseCode, message } = error;
  if (responseCode !== undefined || error instanceof SmtpUnfit || isTooLarge(error)) return message;
  return SENTENCES[code] ?? 'the message could not be handed to the mail server of the mailbox; try again later';
}

const UNREACHABLE = 'the mail server of the mailbox could not be reached; try again later';
const SENTENCES: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server of the mailbox refused the login; reconnect the mailbox',
  ETLS: 'the mail server of the mailbox offers no secure connection',
  EDNS: UNREACHABLE,
  ECONNECTION: UNREACHABLE,
  ESOCKET: UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  ETIMEDOUT: 'the mail server of the mailbox does not answer; try again later',
};

function isNo({ responseCode = 0 }: SmtpError): boolean {
  return responseCode >= 400 && responseCode < 600;
}

/** 4xx, and everything that happened to the network, may go better later; too large for the server stays too large. */
function isFinal(error: SmtpError): boolean {
  if (error instanceof SmtpUnfit || isTooLarge(error)) return true;
  return error.responseCode !== undefined && error.responseCode >= 500;
}

/** Whether it was about the message or its recipients, and not about whoever wants to send anything here now. */
function isServed(error: SmtpError): boolean {
  const { responseCode, command = '' } = error;
  if (error instanceof SmtpUnfit || isTooLarge(error)) return true;
  if (responseCode === undefined || responseCode === 421) return false;
  if (command === 'MAIL FROM') return responseCode >= 500;
  return command === 'RCPT TO' || command === 'DATA';
}

function isTooLarge({ code, responseCode }: SmtpError): boolean {
  return code === 'EMESSAGE' && responseCode === undefined;
}

/** By the address that was asked for, whose domain was written in its ASCII form on the wire. */
function refusedRecipient(error: SmtpError, to: readonly string[]): RefusedRecipient {
  const { recipient = '', message } = error;
  const address = to.find((one) => toAsciiDomain(one) === recipient) ?? recipient;
  return { address, reason: message, isFinal: isFinal(error) };
}

/** Nodemailer tells of them only after the message was taken, when this process may have died. */
function rejectedBy(connection: SMTPConnection): SmtpError[] {
  const { _envelope: envelope } = connection as unknown as { _envelope?: { rejectedErrors?: SmtpError[] } };
  return envelope?.rejectedErrors ?? [];
}
