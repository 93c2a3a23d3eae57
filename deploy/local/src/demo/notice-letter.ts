import type { FolderType } from '@postroom/contract/lists';
import { describeAttachment } from './attachment.ts';
import { DEMO_MAILBOXES, PARTNERS } from './cast.ts';
import { toHtml } from './conversation.ts';
import type { DemoLetter, Topic } from './letter.ts';
import { DRAFTS, type Notice } from './notices.ts';
import { fill } from './random.ts';
import { isReadBy, messageIdOf, sourceKeyOf, type Setting } from './setting.ts';
import { drawThings } from './things.ts';

interface NoticePlace {
  mailbox: number;
  folderType: FolderType;
  topic: Topic;
  /** Sent to a list, from which one can unsubscribe. */
  isList?: boolean;
}

/** One letter that a machine has sent. */
export function noticeLetter(setting: Setting, notice: Notice, place: NoticePlace): DemoLetter {
  const { random, start, number } = setting;
  const things = drawThings(random, start);
  const { email, name } = DEMO_MAILBOXES[place.mailbox] ?? DEMO_MAILBOXES[0];
  const domain = notice.from.email.split('@')[1] ?? 'localhost';
  const text = fill(notice.text, things);
  const leave = `https://${domain}/unsubscribe/${number}`;
  return {
    ...single(setting, place.mailbox, place.folderType, domain),
    topic: place.topic,
    from: notice.from,
    to: [{ email, name }],
    subject: fill(notice.subject, things),
    text: place.isList ? `${text}\n\n--\nYou get this because you asked for it. Leave: ${leave}` : text,
    html: random.chance(0.8) ? toHtml(text) : null,
    attachments: notice.attaches ? [describeAttachment(fill(notice.attaches, things), random)] : [],
    headers: place.isList ? { 'List-Unsubscribe': `<${leave}>`, 'List-Id': `<${domain}>`, Precedence: 'bulk' } : {},
    isRead: place.folderType === 'SPAM' ? random.chance(0.1) : isReadBy(setting, start),
    isStarred: place.folderType === 'INBOX' && random.chance(0.02),
  };
}

/** A letter of our own that is not finished. */
export function draftLetter(setting: Setting, mailbox: number): DemoLetter {
  const { random, start } = setting;
  const things = drawThings(random, start);
  const { email, name } = DEMO_MAILBOXES[mailbox] ?? DEMO_MAILBOXES[0];
  const draft = random.pick(DRAFTS);
  const to = random.pick(PARTNERS);
  return {
    ...single(setting, mailbox, 'DRAFTS', 'harbourpine.example'),
    topic: 'draft',
    from: { email, name },
    to: random.chance(0.8) ? [{ email: to.email, name: to.name }] : [],
    subject: fill(draft.subject, things),
    text: fill(draft.text, things),
    html: null,
    attachments: [],
    headers: {},
    isRead: true,
    isStarred: false,
  };
}

function single(setting: Setting, mailbox: number, folderType: FolderType, domain: string) {
  return {
    mailbox,
    folderType,
    sourceKey: sourceKeyOf(setting, 0),
    threadKey: sourceKeyOf(setting, 0),
    messageId: messageIdOf(setting, 0, domain),
    inReplyTo: null,
    references: [],
    cc: [],
    date: setting.start,
    charset: 'utf-8' as const,
  };
}
