import type { FolderType } from '@postroom/contract/lists';
import MailComposer from 'nodemailer/lib/mail-composer';
import { CONVERSATIONS } from './conversations.ts';
import { drawValues, fill } from './values.ts';
import { NOTICES } from './notices.ts';
import { createRandom, type Random } from './random.ts';
import type { Template, DemoTopic } from './template.ts';

export interface DemoOptions {
  seed: number;
  count: number;
  /** The mail ends here and begins a year before. */
  now: Date;
}

export interface DemoMessage {
  /** The index of its mailbox in DEMO_MAILBOXES. */
  mailbox: number;
  folderType: FolderType;
  topic: DemoTopic;
  raw: Buffer;
  sourceKey: string;
  isRead: boolean;
  isStarred: boolean;
  receivedAt: string;
  isHistory: boolean;
}

export const DEMO_MAILBOXES = [
  { email: 'mara@harbourpine.example', name: 'Mara Lindqvist', aliases: ['mara.lindqvist@harbourpine.example'] },
  { email: 'support@harbourpine.example', name: 'Harbour & Pine Support', aliases: ['help@harbourpine.example'] },
  { email: 'accounts@harbourpine.example', name: 'Harbour & Pine Accounts', aliases: [] },
] as const;

const TEMPLATES: readonly Template[] = [...CONVERSATIONS, ...NOTICES];
const USUAL_MAILBOX: Readonly<Record<DemoTopic, number>> = {
  work: 0,
  support: 1,
  newsletter: 0,
  bill: 2,
  alert: 1,
  spam: 0,
  draft: 0,
};
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

interface Occasion {
  random: Random;
  seed: number;
  number: number;
  start: Date;
  now: Date;
}

/** Exactly `count` messages, the same for the same seed, spread evenly over the year. */
export async function* demoMail({ seed, count, now }: DemoOptions): AsyncGenerator<DemoMessage> {
  const random = createRandom(seed);
  let made = 0;
  for (let number = 0; made < count; number += 1) {
    // The last minutes stay free for mail that follows.
    const back = Math.max(HOUR / 12, YEAR * (1 - made / count) - random.between(0, DAY / 2));
    const start = new Date(now.getTime() - back);
    for await (const message of fromTemplate(random.pick(TEMPLATES), { random, seed, number, start, now })) {
      if (made === count) return;
      made += 1;
      yield message;
    }
  }
}

/** The emails of one use of a template, up to now. */
async function* fromTemplate(template: Template, occasion: Occasion): AsyncGenerator<DemoMessage> {
  const { random, seed, number, now } = occasion;
  const { topic } = template;
  const mailbox = random.chance(0.75) ? USUAL_MAILBOX[topic] : random.between(0, DEMO_MAILBOXES.length - 1);
  const own = addressOf(mailbox);
  const values = drawValues(random, occasion.start);
  const other = template.other || fill('{customer}', values);
  const isHtml = random.chance(0.6);
  const references: string[] = [];
  let date = occasion.start;
  for (const [position, email] of template.emails.entries()) {
    if (date > now) return;
    const isOurs = topic === 'draft' || position % 2 === 1;
    const [from, to] = isOurs ? [own, other] : [other, own];
    const sourceKey = `demo:${seed}:${number}:${position}`;
    const messageId = `<${number}.${position}.${seed}@${domainOf(from)}>`;
    const text = `${fill(email, values)}\n\n${firstName(from)}`;
    const mail = {
      from,
      to,
      messageId,
      date,
      text,
      references: [...references],
      inReplyTo: references.at(-1),
      subject: `${position > 0 ? 'Re: ' : ''}${fill(template.subject, values)}`,
      html: isHtml
        ? `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')}</p>`
        : undefined,
      attachments: template.file && position === 0 ? [fileOf(fill(template.file, values), random)] : [],
      headers: topic === 'newsletter' ? { 'List-Unsubscribe': `<https://${domainOf(from)}/leave/${number}>` } : {},
      // Parts are told apart by it, so that the same seed makes the same bytes.
      baseBoundary: sourceKey,
    };
    const folderType = folderOf(topic, isOurs, random);
    const isStarred = folderType === 'INBOX' && random.chance(0.03);
    const isRead = isOurs || random.chance(isReadShare(folderType, now.getTime() - date.getTime()));
    const raw = await new MailComposer(mail).compile().build();
    // No event says that old mail has just arrived.
    const receivedAt = date.toISOString();
    yield { mailbox, folderType, topic, raw, sourceKey, isRead, isStarred, receivedAt, isHistory: true };
    references.push(messageId);
    date = new Date(date.getTime() + random.between(1, 60) * HOUR);
  }
}

function folderOf(topic: DemoTopic, isOurs: boolean, random: Random): FolderType {
  if (topic === 'draft') return 'DRAFTS';
  if (topic === 'spam') return 'SPAM';
  if (isOurs) return 'SENT';
  return random.chance(0.06) ? 'TRASH' : 'INBOX';
}

/** Old mail has mostly been read; of the last two weeks much is still to do. */
function isReadShare(folderType: FolderType, age: number): number {
  if (folderType === 'SPAM') return 0.1;
  return age > 14 * DAY ? 0.96 : 0.45;
}

function addressOf(mailbox: number): string {
  const { name, email } = DEMO_MAILBOXES[mailbox] ?? DEMO_MAILBOXES[0];
  return `"${name}" <${email}>`;
}

const domainOf = (address: string) => /@([^>]+)/.exec(address)?.[1] ?? 'localhost';
const firstName = (address: string) => /^"?([^ "<]+)/.exec(address)?.[1] ?? address;
const fileOf = (filename: string, random: Random) => ({
  filename,
  content: Buffer.alloc(random.between(300, 2_400), 'x'),
});
