import { randomBytes } from 'node:crypto';
import { IncomingMessage } from '@postroom/proto/postroom/v1/mailbox_write';

export interface MessageParts {
  from?: string;
  to?: string;
  cc?: string;
  subject?: string;
  date?: Date | string;
  messageId?: string;
  inReplyTo?: string;
  references?: string[];
  text?: string;
  html?: string;
  headers?: Record<string, string>;
  folderType?: 'INBOX' | 'SENT' | 'DRAFTS' | 'SPAM' | 'TRASH';
  isRead?: boolean;
  isStarred?: boolean;
  isHistory?: boolean;
}

/** A plain message in the form that ingest takes, with everything a test does not care about filled in. */
export function rawMessage(parts: MessageParts) {
  const raw = Buffer.from([...headerLines(parts), '', parts.html ?? parts.text ?? 'Hello.', ''].join('\r\n'));
  return IncomingMessage.create({
    sourceKey: `test:${randomBytes(12).toString('hex')}`,
    raw,
    folderType: parts.folderType ?? 'INBOX',
    isRead: parts.isRead ?? false,
    isStarred: parts.isStarred ?? false,
    isHistory: parts.isHistory ?? false,
  });
}

function headerLines(parts: MessageParts): string[] {
  const date = new Date(parts.date ?? Date.now());
  const headers: Record<string, string | undefined> = {
    From: parts.from ?? 'Ann Sender <ann@sender.example>',
    To: parts.to ?? 'Bob <bob@example.com>',
    Cc: parts.cc,
    Subject: parts.subject ?? 'Hello',
    Date: date.toUTCString(),
    'Message-ID': parts.messageId ?? `<${randomBytes(12).toString('hex')}@sender.example>`,
    'In-Reply-To': parts.inReplyTo,
    References: parts.references?.join(' '),
    'Content-Type': `text/${parts.html ? 'html' : 'plain'}; charset=utf-8`,
    ...parts.headers,
  };
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
}
