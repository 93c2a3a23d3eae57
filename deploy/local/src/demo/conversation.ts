import type { AddressPart } from '@postroom/mail-store/documents/email';
import { describeAttachment } from './attachment.ts';
import { DEMO_MAILBOXES, type Contact, type Language } from './cast.ts';
import type { Charset, DemoLetter, Topic } from './letter.ts';
import { fill } from './random.ts';
import { isReadBy, later, messageIdOf, sourceKeyOf, type Setting } from './setting.ts';
import type { Talk } from './talk.ts';
import { drawThings } from './things.ts';

const REGARDS: Readonly<Record<Language, string>> = {
  en: 'Best wishes',
  de: 'Viele Grüße',
  fr: 'Bien cordialement',
  es: 'Un saludo',
  sv: 'Vänliga hälsningar',
  ru: 'С уважением',
  ja: 'よろしくお願いいたします',
};

const REPLY: Partial<Record<Language, string>> = { de: 'AW', sv: 'SV' };

export interface Occasion {
  mailbox: number;
  topic: Topic;
  other: Contact;
  talk: Talk;
}

interface Letter {
  from: AddressPart;
  date: Date;
  words: string;
}

/** One conversation between a mailbox and another person, up to now. The other person writes first. */
export function* conversation(setting: Setting, { mailbox, topic, other, talk }: Occasion): Generator<DemoLetter> {
  const { random, now } = setting;
  const things = drawThings(random, setting.start);
  const own: AddressPart = pickOwn(mailbox);
  const subject = fill(talk.subject, things);
  const weBegin = random.chance(0.2) && talk.turns.length > 2;
  const carriesFile = talk.attaches ? random.between(0, Math.min(2, talk.turns.length - 1)) : -1;
  const starredTurn = random.chance(0.06) ? 0 : -1;
  const charset = charsetFor(setting, other.language);

  const earlier: string[] = [];
  let before: Letter | undefined;
  let date = setting.start;
  for (const [turn, template] of talk.turns.entries()) {
    if (date > now) return;
    const isOurs = (turn % 2 === 0) === weBegin;
    const [from, to] = isOurs ? [own, other] : [other, own];
    const words = `${fill(template, things)}\n\n${REGARDS[other.language]}\n${firstName(from, other.language)}`;
    const messageId = messageIdOf(setting, turn, from.email.split('@')[1] ?? 'localhost');
    yield {
      mailbox,
      topic,
      folderType: isOurs ? 'SENT' : 'INBOX',
      sourceKey: sourceKeyOf(setting, turn),
      threadKey: sourceKeyOf(setting, 0),
      messageId,
      inReplyTo: earlier.at(-1) ?? null,
      references: [...earlier],
      from: { email: from.email, name: from.name },
      to: [{ email: to.email, name: to.name }],
      cc: [],
      subject: turn === 0 ? subject : `${REPLY[other.language] ?? 'Re'}: ${subject}`,
      date,
      text: before ? `${words}\n\n${quote(before)}` : words,
      html: random.chance(0.55) ? toHtml(words, before) : null,
      attachments:
        turn === carriesFile && talk.attaches ? [describeAttachment(fill(talk.attaches, things), random)] : [],
      charset,
      headers: {},
      isRead: isOurs || isReadBy(setting, date),
      isStarred: turn === starredTurn,
    };
    earlier.push(messageId);
    before = { from, date, words };
    date = later(setting, date);
  }
}

function pickOwn(mailbox: number): AddressPart {
  const { email, name } = DEMO_MAILBOXES[mailbox] ?? DEMO_MAILBOXES[0];
  return { email, name };
}

function firstName({ name, email }: AddressPart, language: Language): string {
  if (language === 'ja') return name ?? email;
  return (name ?? email).split(' ')[0] ?? email;
}

function quote({ from, date, words }: Letter): string {
  const head = `On ${date.toUTCString().slice(5, 16)}, ${from.name ?? from.email} wrote:`;
  return `${head}\n${words
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')}`;
}

export function toHtml(words: string, before?: Letter): string {
  const paragraphs = words.split('\n\n').map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`);
  const quoted = before ? `<blockquote>${escapeHtml(before.words).replaceAll('\n', '<br>')}</blockquote>` : '';
  return `<html><body>${paragraphs.join('\n')}\n${quoted}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Older mail programs still write in the charsets of their region. */
function charsetFor({ random }: Setting, language: Language): Charset {
  if (language === 'ru') return random.chance(0.6) ? 'windows-1251' : 'utf-8';
  if (language === 'en' || language === 'ja') return 'utf-8';
  return random.chance(0.5) ? 'iso-8859-1' : 'utf-8';
}
