import { randomBytes } from 'node:crypto';
import type { AddressPart, EmailDocument } from '@postroom/mail-store/documents/email';
import { foldLines } from '@postroom/mail-store/fold';
import { toListProjection } from '@postroom/mail-store/list-projection';
import { emailWords } from '@postroom/mail-store/words';

export type EmailParts = Partial<EmailDocument> & { text?: string };

/** An email as it is stored, for tests that need what no message can bring about quickly. */
export function emailDocument({ text = '', ...parts }: EmailParts = {}): EmailDocument {
  const _id = parts._id ?? `eml_${randomBytes(11).toString('hex')}`;
  const from = parts.from ?? { email: 'ann@sender.example', name: 'Ann Sender' };
  const plain = { ...defaults(_id), ...parts, _id, from, snippet: text.slice(0, 200) };
  const people = [from, ...plain.to, ...plain.cc].flatMap(lines);
  const senderAddress = from.email.toLowerCase();
  return {
    ...plain,
    senderAddress,
    senderDomain: senderAddress.split('@')[1] ?? '',
    folded: {
      from: foldLines(lines(from)),
      to: foldLines(plain.to.flatMap(lines)),
      cc: foldLines(plain.cc.flatMap(lines)),
      subject: foldLines([plain.subject]),
      text: foldLines([text]),
    },
    words: emailWords([plain.subject, ...people].join('\n'), text),
    rendered: toListProjection(plain),
  };
}

/** The same email with the list item that belongs to it. */
export const withListProjection = (email: EmailDocument): EmailDocument => ({
  ...email,
  rendered: toListProjection(email),
});

const lines = ({ email, name }: AddressPart) => (name ? [email, name] : [email]);

function defaults(id: string) {
  return {
    workspaceId: 'wsp_test',
    mailboxId: 'mbx_test',
    folderId: 'fld_inbox',
    folderType: 'INBOX' as const,
    sourceKey: id,
    messageKey: id,
    identity: '',
    threadId: null,
    messageId: `<${id}@sender.example>`,
    inReplyTo: null,
    references: [],
    to: [{ email: 'bob@example.com', name: 'Bob' }],
    cc: [],
    bcc: [],
    subject: 'Hello',
    snippet: '',
    date: new Date('2026-01-02T03:04:05Z'),
    isRead: false,
    isStarred: false,
    isDraft: false,
    hasAttachments: false,
    attachments: [],
    labelIds: [],
    providerLabels: [],
    waitingForReply: false,
    threadKey: '',
    isAutomatic: false,
    replyTo: null,
    failsDmarc: false,
    isUnsettled: false,
    isAutoForward: false,
    isAutoReply: false,
    scheduledSendAt: null,
    scheduledStatus: null,
    draft: null,
    outbox: {},
    providerChanges: {},
    receivedAt: new Date('2026-01-02T03:04:05Z'),
  };
}
