import { createHash } from 'node:crypto';
import type { AddressPart, AttachmentPart } from '@postroom/mail-store/documents/email';
import { attachmentBytes } from './attachment.ts';
import { encodeText } from './charset.ts';
import type { Charset, DemoLetter } from './letter.ts';

const EOL = '\r\n';
const ATOMS = /^[A-Za-z0-9!#$%&*+\-/=?^_`{|}~ ]*$/;
const PLAIN = /^[\x20-\x7e]*$/;
// An encoded word may be 75 characters long, and the address line 78.
const WORD_BYTES = 42;
const LONGEST_LINE = 990;

/** The letter as a raw message (RFC 5322 and MIME) in 7-bit ASCII. */
export function toRaw(letter: DemoLetter): Buffer {
  const { charset } = letter;
  const headers: [string, string][] = [
    ['From', addresses([letter.from], charset)],
    ['To', addresses(letter.to, charset)],
    ['Cc', addresses(letter.cc, charset)],
    ['Subject', words(letter.subject, charset)],
    ['Date', dateOf(letter.date)],
    ['Message-ID', letter.messageId],
    ['In-Reply-To', letter.inReplyTo ?? ''],
    ['References', letter.references.join(`${EOL} `)],
    ...Object.entries(letter.headers),
    ['MIME-Version', '1.0'],
  ];
  const isPresent = ([name, value]: [string, string]) => value !== '' || name === 'Subject';
  const head = headers.filter(isPresent).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([...head, bodyOf(letter)].join(EOL), 'ascii');
}

function bodyOf(letter: DemoLetter): string {
  const text = textPart(letter.text, 'plain', letter.charset);
  const words =
    letter.html === null
      ? text
      : multipart('alternative', letter, [text, textPart(letter.html, 'html', letter.charset)]);
  if (letter.attachments.length === 0) return words;
  return multipart('mixed', letter, [words, ...letter.attachments.map(attachmentPart)]);
}

function multipart(kind: 'alternative' | 'mixed', { sourceKey }: DemoLetter, parts: string[]): string {
  const boundary = `=_${kind}_${createHash('sha256').update(sourceKey).digest('hex').slice(0, 20)}`;
  const type = `Content-Type: multipart/${kind}; boundary="${boundary}"`;
  const inner = parts.map((part) => `--${boundary}${EOL}${part}${EOL}`).join('');
  return `${type}${EOL}${EOL}${inner}--${boundary}--${EOL}`;
}

function textPart(text: string, subtype: 'plain' | 'html', wished: Charset): string {
  const { bytes, charset } = encodeText(text.replaceAll('\n', EOL), wished);
  const [encoding, content] = transfer(bytes);
  return [
    `Content-Type: text/${subtype}; charset=${charset}`,
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    `${content}${EOL}`,
  ].join(EOL);
}

function attachmentPart(attachment: AttachmentPart): string {
  const { filename, mimeType } = attachment;
  return [
    `Content-Type: ${mimeType}`,
    `Content-Disposition: attachment; filename="${filename}"`,
    'Content-Transfer-Encoding: base64',
    '',
    base64(attachmentBytes(attachment)),
  ].join(EOL);
}

/** The encoding that leaves the text most readable, as mail programs choose it. */
function transfer(bytes: Buffer): [string, string] {
  const text = bytes.toString('latin1');
  const high = text.length - text.replaceAll(/[\x80-\xff]/g, '').length;
  const longest = Math.max(...text.split(EOL).map((line) => line.length));
  if (high === 0 && longest < LONGEST_LINE) return ['7bit', text];
  return high * 4 < text.length ? ['quoted-printable', quotedPrintable(text)] : ['base64', base64(bytes)];
}

function quotedPrintable(text: string): string {
  return text
    .split(EOL)
    .map((line) => {
      const escaped = line.replaceAll(/[^\x20-\x3c\x3e-\x7e]/g, (byte) => `=${hex(byte)}`).replace(/ $/, '=20');
      return softBreaks(escaped);
    })
    .join(EOL);
}

/** At most 76 characters in a line, and never a break inside an escape. */
function softBreaks(line: string): string {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > 76) {
    const escape = rest.lastIndexOf('=', 74);
    const cut = escape > 72 ? escape : 75;
    pieces.push(`${rest.slice(0, cut)}=`);
    rest = rest.slice(cut);
  }
  return [...pieces, rest].join(EOL);
}

function base64(bytes: Buffer): string {
  return (bytes.toString('base64').match(/.{1,76}/g) ?? []).join(EOL);
}

function addresses(list: readonly AddressPart[], charset: Charset): string {
  return list.map(({ email, name }) => (name ? `${phrase(name, charset)} <${email}>` : email)).join(`,${EOL} `);
}

function phrase(name: string, charset: Charset): string {
  if (!PLAIN.test(name)) return words(name, charset);
  return ATOMS.test(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A header's text: as it is in ASCII, in encoded words otherwise (RFC 2047). */
function words(text: string, wished: Charset): string {
  if (PLAIN.test(text)) return text;
  const { charset } = encodeText(text, wished);
  const pieces: string[] = [''];
  for (const character of text) {
    const piece = pieces.at(-1) ?? '';
    const isFull = encodeText(piece + character, charset).bytes.length > WORD_BYTES;
    if (isFull) pieces.push(character);
    else pieces[pieces.length - 1] = piece + character;
  }
  return pieces
    .map((piece) => `=?${charset}?B?${encodeText(piece, charset).bytes.toString('base64')}?=`)
    .join(`${EOL} `);
}

function dateOf(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}

function hex(byte: string): string {
  return byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
}
