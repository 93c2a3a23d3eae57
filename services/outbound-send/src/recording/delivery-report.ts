import { createHash } from 'node:crypto';
import type { RefusedPart, SendDocument } from '@postroom/mail-store/documents/send';
import { OPERATION_HEADER } from '@postroom/mime/delivery-report';
import MimeNode from 'nodemailer/lib/mime-node';
import { splitComposed } from '../attach/split-composed.ts';
import { isInternational, toAsciiDomain } from '../addresses/address.ts';
import type { Undeliverable } from '../sending/send-deps.ts';

interface Undelivered {
  send: Pick<SendDocument, 'from' | 'messageId' | 'wire' | 'createdAt'>;
  failed: readonly RefusedPart[];
  outcome: Undeliverable;
  /** Names the report: the same one has the same Message-ID. */
  operation: string;
  date: Date;
}

const WORDS: Record<Undeliverable, { subject: string; first: string; last: string }> = {
  refused: {
    subject: 'Delivery Status Notification (Failure)',
    first: 'The mail server refused your message for these recipients, and it is not tried again for them:',
    last: 'Everybody else it was addressed to is not concerned by this report.',
  },
  unknown: {
    subject: 'It is not known whether your message was delivered',
    first: 'It is not known whether these recipients got your message, and it is not sent again:',
    last: 'Ask them before you send it once more: they may have it.',
  },
};

const LONGEST_REASON = 300;
const TEXT = 'text/plain; charset=utf-8';
const OPTIONS = { newline: 'win', disableFileAccess: true, disableUrlAccess: true } as const;

/**
 * The report of a mail server about recipients that the next server refused (RFC 3464), in the thread of the message. That
 * has no word for an unknown outcome, and its form would prove that a server has the message: such a report is text alone.
 */
export function composeDeliveryReport(about: Undelivered): Promise<Buffer> {
  const { send, failed, outcome, operation } = about;
  const domain = toAsciiDomain(send.from).slice(send.from.lastIndexOf('@') + 1);
  const unique = createHash('sha256').update(operation).digest('hex').slice(0, 40);
  const text = explanation(failed, outcome);
  if (outcome === 'unknown') {
    const notice = new MimeNode(TEXT, OPTIONS);
    notice.setHeader(headerOf(about, domain, unique));
    return notice.setContent(text).build();
  }
  const baseBoundary = unique.slice(0, 24);
  const report = new MimeNode('multipart/report; report-type=delivery-status', { ...OPTIONS, baseBoundary });
  report.setHeader(headerOf(about, domain, unique));
  report.createChild(TEXT, OPTIONS).setContent(text);
  report.createChild('message/delivery-status', OPTIONS).setContent(statusOf(domain, send.createdAt, failed));
  report.createChild('text/rfc822-headers', OPTIONS).setContent(returnedHeader(send.wire));
  return report.build();
}

function headerOf({ send, outcome, date }: Undelivered, domain: string, unique: string) {
  return {
    From: { name: 'Mail Delivery System', address: `MAILER-DAEMON@${domain}` },
    To: { name: '', address: send.from },
    Subject: WORDS[outcome].subject,
    Date: date.toUTCString().replace(/GMT/, '+0000'),
    'Message-ID': `<${unique}@${domain}>`,
    'In-Reply-To': send.messageId,
    References: send.messageId,
    'Auto-Submitted': 'auto-replied',
  };
}

function explanation(failed: readonly RefusedPart[], outcome: Undeliverable): string {
  const { first, last } = WORDS[outcome];
  return [first, ...failed.map(({ address, reason }) => `${address}\n    ${oneLine(reason)}`), last].join('\n\n');
}

function statusOf(domain: string, arrived: Date, failed: readonly RefusedPart[]): string {
  const about = [`Reporting-MTA: dns; ${domain}`, `Arrival-Date: ${arrived.toUTCString().replace(/GMT/, '+0000')}`];
  const groups = failed.map(({ address, reason }) => [
    `Final-Recipient: ${typedAddress(address)}`,
    'Action: failed',
    `Status: ${/\b5\.\d{1,3}\.\d{1,3}\b/.exec(reason)?.[0] ?? '5.0.0'}`,
    `Diagnostic-Code: smtp; ${oneLine(reason).replace(/[^\x20-\x7e]/g, '?')}`,
  ]);
  return [about, ...groups].map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n');
}

/** Beyond ASCII in the form that every server bears (RFC 6533 section 3). */
function typedAddress(address: string): string {
  if (!isInternational(address)) return `rfc822; ${toAsciiDomain(address)}`;
  const escaped = Array.from(address, (character) =>
    /[\x21-\x7e]/.test(character) && !/[\\+=]/.test(character)
      ? character
      : `\\x{${character.codePointAt(0)?.toString(16).toUpperCase()}}`,
  );
  return `utf-8; ${escaped.join('')}`;
}

/** Without the name of its send: a copy of the report in the mailbox would pass for a copy of the message. */
function returnedHeader(wire: Buffer | null): string {
  const fields = splitComposed(wire ?? Buffer.alloc(0)).message;
  const shown = fields.filter((field) => !field.toLowerCase().startsWith(`${OPERATION_HEADER.toLowerCase()}:`));
  return `${shown.join('\r\n')}\r\n`;
}

function oneLine(reason: string): string {
  return reason.replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON);
}
