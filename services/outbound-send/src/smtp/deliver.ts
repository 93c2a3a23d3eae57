import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isInternational, toAsciiDomain } from './address.ts';
import { defaultLimits, openConnection, type SmtpLimits, SmtpUnfit } from './connection.ts';
import type { Delivery, DeliverySteps, OutgoingMessage, RefusedRecipient, SmtpServer } from './delivery.ts';
import { guardMessage } from './guarded-message.ts';

interface SmtpError extends Error {
  code?: string;
  /** The server's own number, where it gave one. */
  responseCode?: number | undefined;
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
    return notSent(error as SmtpError);
  }
  const { stream, wasHandedOver } = guardMessage(message.bytes, steps);
  try {
    const info = await send(connection, message, stream);
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
    // An answer with a number settles it, however late it came; without one, what was handed over may have been taken.
    if (wasHandedOver() && failure.responseCode === undefined) return { outcome: 'unknown', reason: failure.message };
    return notSent(failure);
  }
}

/** Nodemailer would send such an address to a server that cannot read it. */
function refuseUnfit(connection: SMTPConnection, { from, to }: OutgoingMessage): void {
  const offers = String(connection.lastServerResponse);
  if (![from, ...to].some(isInternational) || /^250[ -]SMTPUTF8\b/im.test(offers)) return;
  connection.close();
  throw new SmtpUnfit('the server takes no addresses beyond ASCII (no SMTPUTF8)');
}

function send(
  connection: SMTPConnection,
  { from, to, bytes }: OutgoingMessage,
  stream: NodeJS.ReadableStream,
): Promise<SendInfo> {
  const envelope = { from: toAsciiDomain(from), to: to.map(toAsciiDomain), size: bytes.length };
  return new Promise((resolve, reject) => {
    connection.send(envelope, stream as never, (error, info) => (error || !info ? reject(error) : resolve(info)));
  });
}

function notSent(error: SmtpError): Delivery {
  return {
    outcome: 'refused',
    reason: error.message,
    isFinal: error instanceof SmtpUnfit || isFinal(error),
    refused: (error.rejectedErrors ?? []).map(toRefused),
  };
}

/** 4xx, and everything that happened to the network, may go better later. */
function isFinal({ responseCode }: SmtpError): boolean {
  return responseCode !== undefined && responseCode >= 500;
}

function toRefused(error: SmtpError): RefusedRecipient {
  return { address: error.recipient ?? '', reason: error.message, isFinal: isFinal(error) };
}
