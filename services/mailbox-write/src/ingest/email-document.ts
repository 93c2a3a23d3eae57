import { addressKey, domainOf, isAddress } from '@postroom/contract/address';
import { encodeEvent } from '@postroom/events/event';
import type { BodyDocument, EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { outboxOrderOf, firstOutbox } from '@postroom/mail-store/outbox';
import { boundedLabels, fittedEmail } from '@postroom/mail-store/email-bounds';
import { toListProjection } from '@postroom/mail-store/list-projection';
import { writtenToOf } from '@postroom/mail-store/written-to';
import type { ServiceContext } from '@postroom/runtime/service';
import type { ParsedMail } from '../parse/parsed-mail.ts';
import type { Preview } from '../parse/preview.ts';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import type { Incoming } from '../incoming/incoming.ts';
import { isOwnAddress, mailboxInOf } from '../own-address/own-address.ts';
import { type Identities, identitiesOf } from './identity.ts';
import { locationKey } from '../location/location.ts';
import { answersOf, nodeName, type ThreadNode } from '../threads/thread-node.ts';
import type { Outbox } from '@postroom/mail-store/documents/outbox';

/** A parsed message with its location, ready to be stored. */
export interface Arrival {
  incoming: Incoming;
  mail: ParsedMail;
  emailId: string;
  /** The source key that it is stored under. */
  storedKey: string;
  identities: Identities;
  messageKey: string;
  /** The message key of earlier versions, which did not include the content. Emails of those versions still have it. */
  formerMessageKey: string;
  /** When the email was stored that it is a copy of, and which of the copies it is that came together. */
  copyOf?: { storedAt: Date; number: number };
}

export function toArrival(mailbox: MailboxDocument, incoming: Incoming, mail: ParsedMail): Arrival {
  // Without a Message-ID, a message with the same content may be another one: two alarms may have the same text.
  const name = mail.hasOwnMessageId ? mail.digest : `source:${incoming.sourceKey}`;
  const identities = identitiesOf(mail, incoming.raw, incoming.providerId);
  const [identity] = identities;
  const { workspaceId, _id: mailboxId } = mailbox;
  if (incoming.location) {
    // A provider may give a location to another message later, so the id of the first contains both.
    const messageKey = locationKey(incoming.location);
    const emailId = deterministicId('eml', workspaceId, mailboxId, messageKey, identity);
    return { incoming, mail, emailId, storedKey: `provider:${emailId}`, identities, messageKey, formerMessageKey: '' };
  }
  return {
    incoming,
    mail,
    emailId: deterministicId('eml', workspaceId, mailboxId, incoming.sourceKey),
    storedKey: incoming.sourceKey,
    identities,
    // Within the folder: the copy in Sent and the copy in the inbox of a mail to oneself are two emails.
    messageKey: `${incoming.folderType}:${name}`,
    formerMessageKey: `${incoming.folderType}:${mail.messageId}`,
  };
}

interface Deps extends Pick<ServiceContext, 'clock' | 'ids'> {
  /** The position in the batch: events keep the order of arrival. */
  position?: number;
}

const NOT_OUTGOING = {
  isAutoForward: false,
  isAutoReply: false,
  scheduledSendAt: null,
  scheduledStatus: null,
  draft: null,
} as const;

export function toEmailDocument(
  mailbox: MailboxDocument,
  arrival: Arrival,
  threadId: string,
  deps: Deps,
): EmailDocument {
  const { incoming, mail, emailId, messageKey, storedKey } = arrival;
  const now = deps.clock.date();
  const shown = fittedEmail({
    _id: emailId,
    mailboxId: mailbox._id,
    threadId,
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo,
    references: mail.references,
    from: mail.from,
    to: mail.to,
    cc: mail.cc,
    subject: mail.subject,
    snippet: previewOf(arrival).snippet,
    date: incoming.receivedAt ?? mail.date ?? now,
    isDraft: incoming.folderType === 'DRAFTS',
    hasAttachments: mail.attachments.length > 0,
    attachments: mail.attachments,
    bcc: mail.bcc,
  });
  return {
    ...shown,
    ...correspondentsOf(mailbox, arrival, shown),
    providerLabels: boundedLabels(incoming.providerLabels),
    workspaceId: mailbox.workspaceId,
    folderId: folderOf(mailbox, incoming)?.id ?? '',
    folderType: incoming.folderType,
    threadKey: incoming.providerThreadId === null ? nodeOf(arrival).messageId : '',
    sourceKey: storedKey,
    messageKey,
    identity: mailbox.provider === 'imap' ? arrival.identities[0] : '',
    ...(incoming.location && { place: incoming.location }),
    isRead: incoming.isRead,
    isStarred: incoming.isStarred,
    labelIds: [],
    waitingForReply: incoming.folderType === 'SENT' && wantsReply(arrival),
    isAutomatic: mail.isAutomatic,
    ...(mail.listId !== null && { listId: mail.listId }),
    replyTo: replyToOf(mail),
    failsDmarc: mail.failsDmarc,
    ...(mail.authentication && { authentication: mail.authentication }),
    isUnsettled: true,
    ...reportedBy(mail),
    ...(incoming.outgoing?.shown ?? NOT_OUTGOING),
    folded: mail.folded,
    words: mail.words,
    rendered: toListProjection(shown),
    ...firstOutbox(pendingEvents(mailbox, arrival, threadId, deps), now, deps.position),
    ...(announcesReceived(mailbox, arrival) && awaitingFrom(now, deps.position)),
    ...pendingAtProvider(incoming, now),
    receivedAt: storedAt(arrival, now),
  };
}

/** A copy is younger than its original, also where another process has stored that by another clock. */
function storedAt({ copyOf }: Arrival, now: Date): Date {
  return copyOf ? new Date(Math.max(copyOf.storedAt.getTime(), now.getTime()) + copyOf.number) : now;
}

type Recipients = Pick<EmailDocument, 'to' | 'cc' | 'bcc'>;

/** The sender; the people that mail of the mailbox itself is written to; of other mail, the header that names the mailbox. */
function correspondentsOf(mailbox: MailboxDocument, { incoming, mail }: Arrival, stored: Recipients) {
  const senderAddress = mail.from.email.toLowerCase();
  const sender = { senderAddress, senderDomain: domainOf(senderAddress) };
  const writtenTo = writtenToOf(incoming.folderType, stored);
  return { ...sender, ...(writtenTo ? { writtenTo } : { mailboxIn: mailboxInOf(mailbox, mail) }) };
}

/** Emails of the same millisecond keep their order, also in their events. */
function awaitingFrom(now: Date, position: number | undefined) {
  return { awaitsClassificationSince: now, classification: { order: outboxOrderOf(now, position) } };
}

function reportedBy({ operation, report }: ParsedMail): Pick<EmailDocument, 'operation' | 'report'> {
  const { messageIds = [], recipients = [] } = report ?? {};
  return { ...(operation !== null && { operation }), ...(report && { report: { messageIds, recipients } }) };
}

/** The contract takes the preview of the user's own mail from its text part: html and a signature could hide it. */
function previewOf({ incoming: { folderType }, mail }: Arrival): Preview {
  return ['SENT', 'DRAFTS'].includes(folderType) ? mail.byText : mail;
}

export function wantsReply(arrival: Arrival): boolean {
  return previewOf(arrival).asksSomething && !arrival.mail.isAutomatic;
}

/** The Reply-To if it is another address of the sender's domain. Any other Reply-To is not stored. */
function replyToOf({ from, replyTo }: ParsedMail): string | null {
  const [asked] = replyTo;
  if (!asked || replyTo.length > 1 || addressKey(asked.email) === addressKey(from.email)) return null;
  return isAddress(asked.email) && domainOf(asked.email) === domainOf(from.email) ? asked.email : null;
}

function pendingAtProvider({ outgoing }: Incoming, now: Date) {
  if (!outgoing?.append) return { providerChanges: {} };
  return { providerChanges: { append: outgoing.append }, providerChangesSince: now };
}

export function toBodyDocument(
  { workspaceId, _id: mailboxId }: MailboxDocument,
  { emailId, mail: { html, text }, incoming: { location, folderType } }: Arrival,
  createdAt: Date,
): BodyDocument {
  // A draft is written anew, and its provider's copy may be an older one.
  const isElsewhere = location !== undefined && folderType !== 'DRAFTS';
  const body = { _id: emailId, workspaceId, mailboxId, html, text, createdAt };
  return isElsewhere ? { ...body, evictableSince: createdAt } : body;
}

/** The fields of a message that its thread needs. */
export function nodeOf({ incoming, mail, emailId }: Arrival): ThreadNode {
  const isSpam = incoming.folderType === 'SPAM';
  return { messageId: nodeName(mail.messageId, emailId, isSpam), answers: answersOf(mail, isSpam), threadId: '' };
}

export function folderOf(mailbox: MailboxDocument, { folderType, folderId }: Incoming) {
  return mailbox.folders.find(({ id, type }) => (folderId === null ? type === folderType : id === folderId));
}

export function pendingEvents(
  mailbox: MailboxDocument,
  arrival: Arrival,
  threadId: string,
  { clock, ids }: Deps,
): Outbox {
  const { incoming, mail, emailId } = arrival;
  const { workspaceId, _id: mailboxId } = mailbox;
  const about = () => ({ id: ids('evt'), workspaceId, occurredAt: clock.date() });
  const created = () => {
    const data = { emailId, mailboxId, folderType: incoming.folderType };
    return encodeEvent({ ...about(), type: 'email.created', data });
  };
  if (incoming.outgoing?.announcesDraftSent) {
    const { messageId, subject } = mail;
    const data = { mailboxId, messageId, threadId, to: mail.to.map(({ email }) => email), subject };
    return { created: created(), sent: encodeEvent({ ...about(), type: 'draft.sent', data }) };
  }
  const received = { emailId, mailboxId, folderType: 'INBOX', threadId };
  return {
    // outbound-send knows the reports that it made itself.
    ...(mail.report &&
      !incoming.outgoing && {
        reported: encodeEvent({ ...about(), type: 'delivery.reported', data: { emailId, mailboxId } }),
      }),
    ...(announcesReceived(mailbox, arrival)
      ? { received: encodeEvent({ ...about(), type: 'email.received', data: received }) }
      : { created: created() }),
  };
}

/** The contract: an email that arrives in an inbox, never one's own sent message or a draft. */
export function announcesReceived(mailbox: MailboxDocument, { incoming, mail }: Arrival): boolean {
  return incoming.folderType === 'INBOX' && !incoming.isHistory && !isOwnAddress(mailbox, mail.from.email);
}
