import type { Draft, Email, EmailAddress } from '@postroom/proto/postroom/v1/resources';
import { boundedLabels } from './email-bounds.ts';
import type { AddressPart, BodyDocument, EmailDocument } from './documents/email.ts';

/** The fields of a single email. Queries for one leave the rest in the database. */
export const SHOWN_OF_EMAIL = {
  _id: 1,
  mailboxId: 1,
  folderId: 1,
  folderType: 1,
  threadId: 1,
  messageId: 1,
  inReplyTo: 1,
  references: 1,
  from: 1,
  to: 1,
  cc: 1,
  bcc: 1,
  subject: 1,
  snippet: 1,
  date: 1,
  isRead: 1,
  isStarred: 1,
  isDraft: 1,
  bodyVersion: 1,
  hasAttachments: 1,
  attachments: 1,
  waitingForReply: 1,
  isAutoForward: 1,
  isAutoReply: 1,
  providerLabels: 1,
  scheduledSendAt: 1,
  scheduledStatus: 1,
  draft: 1,
  authentication: 1,
} as const satisfies Partial<Record<keyof EmailDocument, 1>>;

export type ShownEmail = Pick<EmailDocument, keyof typeof SHOWN_OF_EMAIL>;

/** The email as it crosses the wire: null becomes absent. */
export function toMessageEmail(email: ShownEmail): Email {
  return {
    id: email._id,
    mailboxId: email.mailboxId,
    folderId: email.folderId,
    threadId: email.threadId ?? undefined,
    messageId: email.messageId,
    inReplyTo: email.inReplyTo ?? undefined,
    references: email.references,
    from: toAddress(email.from),
    to: email.to.map(toAddress),
    cc: email.cc.map(toAddress),
    bcc: email.bcc.map(toAddress),
    subject: email.subject,
    snippet: email.snippet,
    date: email.date.toISOString(),
    isRead: email.isRead,
    isStarred: email.isStarred,
    isDraft: email.isDraft,
    hasAttachments: email.hasAttachments,
    attachments: email.attachments.map(({ filename, size, mimeType }) => ({ filename, size, mimeType })),
    waitingForReply: email.waitingForReply,
    isAutoForward: email.isAutoForward,
    isAutoReply: email.isAutoReply,
    // Emails of earlier versions may have more.
    labels: boundedLabels(email.providerLabels),
    scheduledSendAt: email.scheduledSendAt?.toISOString(),
    scheduledStatus: email.scheduledStatus ?? undefined,
  };
}

/** A draft from the provider has no creation time, so its arrival counts as its creation. */
export function toMessageDraft(email: ShownEmail, body: Pick<BodyDocument, 'html' | 'text'> | null): Draft {
  const { draft, date } = email;
  return {
    email: toMessageEmail(email),
    body: { html: body?.html ?? undefined, text: body?.text ?? undefined },
    signature: draft?.signature ?? undefined,
    source: draft?.source ?? 'api',
    ruleId: draft?.ruleId ?? undefined,
    createdAt: (draft?.createdAt ?? date).toISOString(),
    updatedAt: (draft?.updatedAt ?? date).toISOString(),
  };
}

function toAddress({ email, name }: AddressPart): EmailAddress {
  return { email, name: name ?? undefined };
}
