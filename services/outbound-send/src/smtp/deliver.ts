import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isInternational, toAsciiDomain } from '../addresses/address.ts';
import {
  defaultLimits,
  inTime,
  sayGoodbye,
  offersOf,
  openSmtpConnection,
  type SmtpLimits,
  SmtpUnfit,
} from './connection.ts';
import type { Delivery, DeliverySteps, OutgoingMessage, RefusedRecipient, SmtpServer } from './delivery.ts';
import { guardMessage } from './guarded-message.ts';

interface SmtpError extends Error {
  code?: string;
  /** The server's response code, if it sent one. */
  responseCode?: number | undefined;
  /** The command that the error answers, or CONN. */
  command?: string | undefined;
  recipient?: string | undefined;
  rejectedErrors?: SmtpError[] | undefined;
}

interface SendInfo {
  response: string;
  serverMessageId?: string | undefined;
  rejectedErrors?: SmtpError[] | undefined;
}

/** One attempt on its own connection. The message is sent once, or is surely not sent, or its outcome is unknown. */
export async function deliver(
  server: SmtpServer,
  message: OutgoingMessage,
  steps: DeliverySteps,
  limits: SmtpLimits = defaultLimits,
): Promise<Delivery> {
  let connection: SMTPConnection;
  try {
    connection = await openSmtpConnection(server, limits);
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
    sayGoodbye(connection, limits);
    return {
      outcome: 'accepted',
      response: info.response,
      serverMessageId: info.serverMessageId ?? null,
      refused: (info.rejectedErrors ?? []).map(toRefused),
    };
  } catch (error) {
    connection.close();
    const failure = error as SmtpError;
    // Only a refusal is certain, however late it came. After any other error the server may have taken the message.
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
  // If the server supports it, it reports failed and delayed mail with the id of the send (RFC 3461).
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
    // If the server refused some recipients and deferred others, the deferred ones may still accept the message.
    isFinal: refused.length > 0 ? refused.every((one) => one.isFinal) : isFinal(error),
    isServed: isServed(error),
    refused,
  };
}

/** The server's text, or else a sentence for people. The cause may name addresses and is only for the log. */
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

/** A 4xx answer or a network error may be temporary. A message that is too large stays too large. */
function isFinal(error: SmtpError): boolean {
  if (error instanceof SmtpUnfit || isTooLarge(error)) return true;
  return error.responseCode !== undefined && error.responseCode >= 500;
}

/** Whether the refusal is about the message or its recipients, and not about every message of the mailbox now. */
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

/** Returns the address as requested. SMTP used the ASCII form of its domain. */
function refusedRecipient(error: SmtpError, to: readonly string[]): RefusedRecipient {
  const { recipient = '', message } = error;
  const address = to.find((one) => toAsciiDomain(one) === recipient) ?? recipient;
  return { address, reason: message, isFinal: isFinal(error) };
}

/** Nodemailer reports them only after the message was taken. This process may have died by then. */
function rejectedBy(connection: SMTPConnection): SmtpError[] {
  const { _envelope: envelope } = connection as unknown as { _envelope?: { rejectedErrors?: SmtpError[] } };
  return envelope?.rejectedErrors ?? [];
}
