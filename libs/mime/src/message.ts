import { type Address, parseAddresses } from './addresses.ts';
import { isAutomatic, listIdOf } from './automatic.ts';
import { contentDigest } from './content-digest.ts';
import { type Authentication, authenticationIn, failsDmarc } from './authentication.ts';
import { cut } from './cut.ts';
import { parseDate } from './dates.ts';
import { type DeliveryReport, operationIn, readReport } from './delivery-report.ts';
import { decodeWords } from './encoded-words.ts';
import type { Header } from './header-block.ts';
import { type MessageBounds, messageBounds, MimeRefused } from './message-bounds.ts';
import { messageIds, ownMessageId } from './message-ids.ts';
import { openMessage } from './open-message.ts';
import { type Attachment, describeEntity, readContent, type Section } from './parts.ts';
import { textAsHtml, visibleText } from './visible-text.ts';

export interface ParsedMessage {
  /** In brackets. A message without one gets a deterministic id of ours, so that replies can refer to it. */
  messageId: string;
  hasOwnMessageId: boolean;
  /** The same for the same content, whatever way it came. */
  digest: string;
  inReplyTo: string | null;
  references: string[];
  from: Address;
  to: Address[];
  cc: Address[];
  bcc: Address[];
  subject: string;
  /** The time in the Date header; null when the header is missing or unreadable. */
  date: Date | null;
  html: string | null;
  text: string | null;
  attachments: Attachment[];
  /** The message says that no person wrote it (RFC 3834), or is a bounce or list mail. */
  isAutomatic: boolean;
  /** The name of the list that it came through (RFC 2919), in lower case. */
  listId: string | null;
  /** Where its sender wants answers to go. */
  replyTo: Address[];
  /** The receiving server reports a failed DMARC check, or the message names no single sender to check. */
  failsDmarc: boolean;
  /** The results of the receiving server's checks of its sender. */
  authentication: Authentication | null;
  /** Of a bounce, or of another report on a message that was sent. */
  report: DeliveryReport | null;
  /** The send of ours that it is, or is a report on. */
  operation: string | null;
}

const LONGEST_SUBJECT = 2_000;
/** One of these must be there for bytes to pass as mail. */
const SIGNS_OF_MAIL = ['from', 'date', 'subject', 'message-id', 'to', 'received', 'content-type', 'mime-version', 'cc'];

/** Takes a raw message apart, or throws MimeRefused with the bound it breaks. */
export function parseMessage(message: Buffer, limits: MessageBounds = messageBounds): ParsedMessage {
  const { raw, header, bodyStart } = openMessage(message, limits);
  if (raw.length === 0) throw new MimeRefused('empty');
  if (!SIGNS_OF_MAIL.some((name) => header.has(name))) throw new MimeRefused('notMail');
  const digest = contentDigest(header, raw.subarray(bodyStart));
  const messageId = ownMessageId(header.first('message-id'));
  const { from, hasOneSender, ...others } = people(header, limits.addresses);
  const entity = describeEntity(header, bodyStart, raw.length);
  const content = readContent(raw, entity, limits);
  const report = readReport(raw, entity, limits);
  return {
    from,
    ...others,
    messageId: messageId === '' ? `<${digest}@without-id.invalid>` : messageId,
    hasOwnMessageId: messageId !== '',
    digest,
    inReplyTo: messageIds(header.first('in-reply-to'))[0] ?? null,
    references: messageIds(header.first('references')),
    subject: cut(decodeWords(header.first('subject') ?? ''), LONGEST_SUBJECT),
    date: parseDate(header.first('date')),
    ...joinSections(content.sections, limits.textBytes),
    attachments: content.attachments,
    isAutomatic: isAutomatic(header, from.email),
    listId: listIdOf(header),
    failsDmarc: !hasOneSender || failsDmarc(header.all('authentication-results')),
    authentication: authenticationIn(header.all('authentication-results')),
    report,
    operation: operationIn(header) ?? report?.operation ?? null,
  };
}

function people(header: Header, most: number) {
  // A field may stand once (RFC 5322 §3.6), and some programs write one for each recipient.
  const list = (name: string) => {
    const found: Address[] = [];
    for (const field of header.all(name)) found.push(...parseAddresses(field, most - found.length));
    return found;
  };
  const authors = list('from');
  const [from = { email: '', name: null }] = [...authors, ...list('sender')];
  const hasOneSender = authors.length === 1;
  return { from, hasOneSender, to: list('to'), cc: list('cc'), bcc: list('bcc'), replyTo: list('reply-to') };
}

/** A mail that mixes plain and html pieces is whole in both forms; one form alone stays alone. */
function joinSections(sections: readonly Section[], limit: number): { html: string | null; text: string | null } {
  const hasHtml = sections.some(({ html }) => html !== null);
  const hasText = sections.some(({ text }) => text !== null);
  return {
    html: hasHtml
      ? joinPieces(
          sections.map(
            ({ html, text }) =>
              () =>
                html ?? textAsHtml(text ?? ''),
          ),
          limit,
        )
      : null,
    text: hasText
      ? joinPieces(
          sections.map(
            ({ html, text }) =>
              () =>
                text ?? visibleText(html ?? '').text,
          ),
          limit,
        )
      : null,
  };
}

/** Each piece is made only while there is room for it: thousands of parts must not cost more than a few. */
function joinPieces(pieces: readonly (() => string)[], limit: number): string {
  let out = '';
  let bytesLeft = limit;
  for (const [position, make] of pieces.entries()) {
    if (bytesLeft <= 0) break;
    const piece = position === 0 ? make() : `\n${make()}`;
    const bytes = Buffer.byteLength(piece);
    // Cut as bytes, because the database counts those; half a character at the end becomes a mark of itself.
    out += bytes <= bytesLeft ? piece : Buffer.from(piece).subarray(0, bytesLeft).toString();
    bytesLeft -= bytes;
  }
  return out;
}
