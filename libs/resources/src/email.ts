import { bounds } from '@postroom/contract/bounds';
import type { EmailListItem } from '@postroom/contract/email-list-item';
import { SCHEDULED_STATUSES } from '@postroom/contract/lists';
import type * as proto from '@postroom/proto/postroom/v1/resources';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { atLeastOne } from './at-least-one.ts';
import { labelRef } from './label.ts';
import { replySchema, requestSchema, saysExactly } from './schema-names.ts';

export const emailAddress = replySchema('EmailAddress', z.object({ email: z.string(), name: z.string().nullable() }));
const attachment = replySchema(
  'Attachment',
  z.object({ filename: z.string(), size: z.int(), mimeType: z.string() }).meta({ description: 'Metadata only.' }),
);

const fields = {
  id: z.string(),
  mailboxId: z.string(),
  folderId: z.string(),
  threadId: z.string().nullable(),
  messageId: z.string().meta({ description: 'The Message-ID header: what an answer in the thread refers to.' }),
  inReplyTo: z.string().nullable(),
  references: z.array(z.string()),
  from: emailAddress,
  to: z.array(emailAddress),
  cc: z.array(emailAddress),
  subject: z.string(),
  snippet: z.string(),
  date: dateTime,
  isRead: z.boolean(),
  isStarred: z.boolean(),
  isDraft: z.boolean(),
  hasAttachments: z.boolean(),
  attachments: z.array(attachment),
};
const waitingForReply = z.boolean().meta({ description: 'On a sent email: an answer is still expected, by estimate.' });

export const emailListItem = replySchema(
  'EmailListItem',
  // The data layer writes these: neither may have a field that the other has not.
  saysExactly<EmailListItem>()(z.object({ ...fields, tags: z.array(labelRef), waitingForReply })),
);
export const email = replySchema(
  'Email',
  z.object({
    ...fields,
    bcc: z.array(emailAddress),
    waitingForReply,
    isAutoForward: z.boolean(),
    isAutoReply: z.boolean(),
    labels: z.array(z.string()).meta({ description: "The provider's labels, such as INBOX; not the workspace's." }),
    scheduledSendAt: dateTime.nullable(),
    scheduledStatus: z.enum(SCHEDULED_STATUSES).nullable(),
  }),
);

export const emailPage = replySchema(
  'EmailPage',
  z.object({
    items: z.array(emailListItem).meta({ description: 'May be fewer than asked for while `hasMore` is true.' }),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
  }),
);
export const emailReply = replySchema('EmailReply', z.object({ email }));
export const emailLabelsReply = replySchema('EmailLabelsReply', z.object({ labels: z.array(labelRef) }));

export const bodyParts = replySchema(
  'EmailBody',
  z.object({ html: z.string().nullable().meta({ description: 'Sanitised.' }), text: z.string().nullable() }),
);
export const emailBodyReply = replySchema(
  'EmailBodyReply',
  z.object({
    emailId: z.string(),
    threadId: z.string().nullable(),
    body: bodyParts,
    thread: z
      .array(email)
      .meta({ description: `Oldest first, this email included; the newest ${bounds.threadEmails} at most.` }),
  }),
);

export const updateEmailRequest = requestSchema(
  'UpdateEmailRequest',
  atLeastOne(z.object({ isRead: z.boolean().optional(), isStarred: z.boolean().optional() })),
);

export function toJsonEmail(message: proto.Email): z.input<typeof email> {
  return {
    id: message.id,
    mailboxId: message.mailboxId,
    folderId: message.folderId,
    threadId: message.threadId ?? null,
    messageId: message.messageId,
    inReplyTo: message.inReplyTo ?? null,
    references: message.references,
    from: toAddress(message.from),
    to: message.to.map(toAddress),
    cc: message.cc.map(toAddress),
    bcc: message.bcc.map(toAddress),
    subject: message.subject,
    snippet: message.snippet,
    date: message.date,
    isRead: message.isRead,
    isStarred: message.isStarred,
    isDraft: message.isDraft,
    hasAttachments: message.hasAttachments,
    attachments: message.attachments.map(({ filename, size, mimeType }) => ({ filename, size, mimeType })),
    waitingForReply: message.waitingForReply,
    isAutoForward: message.isAutoForward,
    isAutoReply: message.isAutoReply,
    labels: message.labels,
    scheduledSendAt: message.scheduledSendAt ?? null,
    scheduledStatus: (message.scheduledStatus ?? null) as z.input<typeof email>['scheduledStatus'],
  };
}

export function toBodyParts(body: proto.Body | undefined): z.input<typeof bodyParts> {
  return { html: body?.html ?? null, text: body?.text ?? null };
}

// An email without a readable sender still has the field.
function toAddress(address: proto.EmailAddress | undefined): z.input<typeof emailAddress> {
  return { email: address?.email ?? '', name: address?.name ?? null };
}
