import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { Client } from '@postroom/rpc/definition';
import { IncomingMessage, type MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Recipient, WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Log } from '@postroom/runtime/log';
import type { CaughtMail } from './outbox.ts';

interface DevelopmentMailServerOptions {
  host: string;
  /** 0 for a free one. */
  port: number;
  workspaces: Client<typeof WorkspaceServiceDefinition>;
  mailboxWrite: Client<typeof MailboxWriteServiceDefinition>;
  log: Log;
  largestMessage?: number;
}

export interface MailServer {
  port: number;
  close(): Promise<void>;
}

/** The size that common providers take; ingest has bounds of its own for what is inside. */
const LARGEST_MESSAGE = 25 * 1024 * 1024;

class SmtpRefusal extends Error {
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/** SMTP for every mailbox that was connected without a mail server of its own: what people send arrives there. */
export function openDevelopmentMailServer(options: DevelopmentMailServerOptions): Promise<MailServer> {
  return openSmtp(options, {
    onRcptTo: (address, _session, done) => answer(requireRecipient(options, address.address), done),
    onData: (stream, session, done) => answer(takeIn(options, stream, session), done),
  });
}

/** The server that development mailboxes send to. It keeps all messages for inspection and delivers only to connected mailboxes. */
export function openOutgoingMailServer(options: DevelopmentMailServerOptions, outbox: CaughtMail): Promise<MailServer> {
  return openSmtp(options, {
    onData: (stream, session, done) => {
      const catchIt = async () => {
        const raw = await takeIn(options, stream, session);
        const { mailFrom, rcptTo } = session.envelope;
        outbox.add({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw });
      };
      answer(catchIt(), done);
    },
  });
}

async function openSmtp(
  { host, port, log, largestMessage = LARGEST_MESSAGE }: DevelopmentMailServerOptions,
  handlers: Pick<SMTPServerOptions, 'onRcptTo' | 'onData'>,
): Promise<MailServer> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    banner: 'Postroom development mail server',
    size: largestMessage,
    logger: false,
    ...handlers,
  });
  server.on('error', (error) => log.warn({ err: error }, 'the development mail server met an error'));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function requireRecipient(options: DevelopmentMailServerOptions, address: string): Promise<void> {
  const recipients = await recipientsOf(options, address);
  if (recipients.length === 0) throw new SmtpRefusal(550, `5.1.1 no mailbox here has the address ${address}`);
}

async function recipientsOf({ workspaces }: DevelopmentMailServerOptions, address: string): Promise<Recipient[]> {
  return (await workspaces.findRecipient({ address }, {})).recipients;
}

async function takeIn(
  options: DevelopmentMailServerOptions,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<Buffer> {
  const { largestMessage: limit = LARGEST_MESSAGE } = options;
  const raw = await readAll(stream, limit);
  if (!raw) throw new SmtpRefusal(552, `5.3.4 the message is larger than ${limit} bytes`);

  const found = await Promise.all(session.envelope.rcptTo.map(({ address }) => recipientsOf(options, address)));
  const byMailbox = new Map(found.flat().map((recipient) => [recipient.mailboxId, recipient]));
  // As the last server does (RFC 5321 §4.4): by it a bounce is known, whose envelope has no sender.
  const { mailFrom } = session.envelope;
  const delivered = Buffer.concat([Buffer.from(`Return-Path: <${mailFrom ? mailFrom.address : ''}>\r\n`), raw]);
  await Promise.all([...byMailbox.values()].map((recipient) => deliver(options, recipient, delivered)));
  return raw;
}

async function deliver(options: DevelopmentMailServerOptions, recipient: Recipient, raw: Buffer): Promise<void> {
  const { workspaceId, mailboxId } = recipient;
  // A client that did not hear our answer sends the same bytes again: the hash makes that the same message.
  const sourceKey = `smtp:${createHash('sha256').update(raw).digest('hex')}`;
  const message = IncomingMessage.create({ sourceKey, raw, folderType: 'INBOX', receivedAt: new Date().toISOString() });
  await options.mailboxWrite.ingest({ mailboxId, messages: [message] }, { workspaceId });
}

/** Reads to the end even when the message is too large: SMTP has no way to interrupt a sender. */
async function readAll(stream: SMTPServerDataStream, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

function answer(work: Promise<unknown>, done: (error?: Error | null) => void): void {
  work.then(
    () => done(),
    (error: unknown) => done(error instanceof SmtpRefusal ? error : new SmtpRefusal(451, '4.3.0 try again later')),
  );
}
