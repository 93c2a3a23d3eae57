import { createHash } from 'node:crypto';
import { OPERATION_HEADER } from '@postroom/mime/delivery-report';
import { cut } from '@postroom/mime/cut';
import { headerText } from '@postroom/mime/header-text';
import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { NamedAddress, Composition } from './composition.ts';

interface ComposedMessage {
  /** The message as it is sent. Bcc recipients are in the envelope alone. */
  wire: Buffer;
  /** As it is kept in Sent and Drafts: with Bcc. */
  kept: Buffer;
}

/** The same composition gives the same bytes, so that a repeat after a crash is the same message. */
export async function compose(composition: Composition): Promise<ComposedMessage> {
  const wire = await build(composition, false);
  return { wire, kept: composition.bcc.length === 0 ? wire : await build(composition, true) };
}

function build(composition: Composition, keepsBcc: boolean): Promise<Buffer> {
  const { from, to, cc, bcc, replyTo, subject, messageId, inReplyTo, references, date, html, text } = composition;
  const node = new MailComposer({
    from: asNodemailer(from),
    to: to.map(asNodemailer),
    cc: cc.map(asNodemailer),
    bcc: bcc.map(asNodemailer),
    ...(replyTo && { replyTo: asNodemailer(replyTo) }),
    ...subjectOf(headerText(subject)),
    messageId,
    ...(inReplyTo && isBearable(inReplyTo) && { inReplyTo }),
    references: references.filter(isBearable),
    date,
    ...(text !== null && { text }),
    ...(html !== null && { html }),
    headers: [
      ...longSubjectOf(headerText(subject)),
      ...Object.entries(headersOf(composition)).map(([key, value]) => ({ key, value })),
    ],
    // Every line stays within 76 characters, so that no server needs 8BITMIME.
    encoding: 'quoted-printable',
    newline: 'win',
    baseBoundary: createHash('sha256').update(messageId).digest('hex').slice(0, 24),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  node.keepBcc = keepsBcc;
  return node.build();
}

/** More in one piece makes a line that servers refuse (RFC 5322 section 2.1.1): a header is folded at spaces alone. */
const LONGEST_WORD = 900;
const ENCODED_WORD = 52;
/** Of a name that is one word, in which every character may be escaped. */
const LONGEST_NAME = 400;

/** Ids of strangers may have characters or a length that only some servers take; without SMTPUTF8 they have no form. */
const isBearable = (id: string): boolean => /^[\x21-\x7e]*$/.test(id) && id.length <= LONGEST_WORD;

const hasLongWord = (text: string, most = LONGEST_WORD): boolean => text.split(/\s/).some((word) => word.length > most);

const subjectOf = (subject: string) => (hasLongWord(subject) ? {} : { subject });

function longSubjectOf(subject: string) {
  if (!hasLongWord(subject)) return [];
  return [
    { key: 'Subject', value: { prepared: true, foldLines: true, value: encodeWord(subject, 'Q', ENCODED_WORD) } },
  ];
}

function headersOf({ operation, headers }: Composition): Readonly<Record<string, string>> {
  return { ...headers, ...(operation !== undefined && { [OPERATION_HEADER]: operation }) };
}

// As an object, never as text: nodemailer reads a comma in text as a second address.
function asNodemailer({ email, name }: NamedAddress): { address: string; name: string } {
  const shown = headerText(name ?? '');
  return { address: email, name: hasLongWord(shown, LONGEST_NAME) ? cut(shown, LONGEST_NAME) : shown };
}
