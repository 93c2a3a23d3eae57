import { bounds } from '@postroom/contract/bounds';
import type { AddressJson, EmailListItem } from '@postroom/contract/email-list-item';
import type { AddressPart, EmailDocument } from './documents/email.ts';
import { boundedItem, fittedItem } from './email-bounds.ts';

export type ListProjectionSource = Pick<
  EmailDocument,
  | '_id'
  | 'mailboxId'
  | 'threadId'
  | 'messageId'
  | 'inReplyTo'
  | 'references'
  | 'from'
  | 'to'
  | 'cc'
  | 'subject'
  | 'snippet'
  | 'date'
  | 'isDraft'
  | 'hasAttachments'
  | 'attachments'
>;

/** The mutable parts of a list item. They are inserted when it is read. */
export type MutableParts = Pick<EmailListItem, 'folderId' | 'isRead' | 'isStarred' | 'waitingForReply'>;

// The rest, in three pieces: what belongs to none of them by name falls to the middle, and must be written there.
type Head = Pick<EmailListItem, 'id' | 'mailboxId'>;
type Tail = Pick<EmailListItem, 'isDraft' | 'hasAttachments' | 'attachments'>;
type Middle = Omit<EmailListItem, keyof MutableParts | keyof Head | keyof Tail | 'tags'>;

/** The placeholder of a mutable part. JSON text never holds a bare line break. */
const SEAM = '\n';
/** Of an item without its mutable parts. */
const MOST_BYTES = bounds.listItem.bytes - 512;

/**
 * The list projection: the JSON of a list item without its mutable parts. It is stored with the email, so that a page is
 * joined from stored pieces without parsing. Its keys have the order of the contract. Its size is bounded, whatever the
 * sender wrote.
 */
export function toListProjection(email: ListProjectionSource): string {
  const item = boundedItem(partsOf(email));
  const projection = serialize(item);
  // A character of text is three bytes at most, so that a short text needs no counting.
  const isFitting = projection.length * 3 <= MOST_BYTES || Buffer.byteLength(projection) <= MOST_BYTES;
  return isFitting ? projection : serialize(fittedItem(item));
}

/** Only these fields, because a field that is not shown must not count. */
function partsOf(email: ListProjectionSource): ListProjectionSource {
  const { _id, mailboxId, threadId, messageId, inReplyTo, references, from, to, cc } = email;
  const { subject, snippet, date, isDraft, hasAttachments, attachments } = email;
  return {
    _id,
    mailboxId,
    threadId,
    messageId,
    inReplyTo,
    references,
    from,
    to,
    cc,
    subject,
    snippet,
    date,
    isDraft,
    hasAttachments,
    attachments,
  };
}

function serialize(email: ListProjectionSource): string {
  const head: Head = { id: email._id, mailboxId: email.mailboxId };
  const middle: Middle = {
    threadId: email.threadId,
    messageId: email.messageId,
    inReplyTo: email.inReplyTo,
    references: email.references,
    from: address(email.from),
    to: email.to.map(address),
    cc: email.cc.map(address),
    subject: email.subject,
    snippet: email.snippet,
    date: email.date.toISOString(),
  };
  const tail: Tail = {
    isDraft: email.isDraft,
    hasAttachments: email.hasAttachments,
    attachments: email.attachments.map(({ filename, size, mimeType }) => ({ filename, size, mimeType })),
  };
  return [head, middle, tail].map((part) => JSON.stringify(part).slice(1, -1)).join(SEAM);
}

/** The fields of a list projection. */
export function readListProjection(projection: string): Head & Middle & Tail {
  return JSON.parse(`{${projection.replaceAll(SEAM, ',')}}`) as Head & Middle & Tail;
}

/**
 * The whole list item. Works on text and equally on UTF-8 bytes read as latin1, one character per byte: quotes,
 * braces and the seam are the same character in both. `tags` is the JSON of the labels, in the same form.
 */
export function completeListItem(projection: string, parts: MutableParts, tags: string): string {
  const first = projection.indexOf(SEAM);
  const second = projection.indexOf(SEAM, first + 1);
  return (
    `{${projection.slice(0, first)},"folderId":${JSON.stringify(parts.folderId)},` +
    `${projection.slice(first + 1, second)},"isRead":${parts.isRead},"isStarred":${parts.isStarred},` +
    `${projection.slice(second + 1)},"tags":${tags},"waitingForReply":${parts.waitingForReply}}`
  );
}

// Stored parts may carry more than the contract shows, and in any order.
function address({ email, name }: AddressPart): AddressJson {
  return { email, name: name ?? null };
}
