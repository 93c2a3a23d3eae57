import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { decodeUtf7 } from './utf7.ts';

/** Labels that mail uses for what the table library knows by another name, or knows too narrowly. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ascii: 'utf-8',
    'us-ascii': 'utf-8',
    'ansi_x3.4-1968': 'utf-8',
    utf8: 'utf-8',
    'utf-8': 'utf-8',
    'unicode-1-1-utf-8': 'utf-8',
    unknown: 'utf-8',
    'unknown-8bit': 'utf-8',
    'x-unknown': 'utf-8',
    default: 'utf-8',
    // Senders that declare Latin-1 and use 0x80-0x9f mean windows-1252 quotes. The rest of both tables is the same.
    'iso-8859-1': 'windows-1252',
    'iso8859-1': 'windows-1252',
    latin1: 'windows-1252',
    'iso-8859-8-i': 'iso-8859-8',
    'iso-8859-8-e': 'iso-8859-8',
    'iso-8859-9': 'windows-1254',
    // Each of these names a subset of the table that its senders really use.
    gb2312: 'gb18030',
    'x-gbk': 'gb18030',
    gbk: 'gb18030',
    'ks_c_5601-1987': 'cp949',
    'euc-kr': 'cp949',
    shift_jis: 'cp932',
    'shift-jis': 'cp932',
    sjis: 'cp932',
    'x-sjis': 'cp932',
    big5: 'big5hkscs',
    tis620: 'windows-874',
    'tis-620': 'windows-874',
    'x-mac-roman': 'macintosh',
  }),
);

/** Encodings that the table library offers for programs, and that no text is written in. */
const NOT_CHARSETS = new Set(['base64', 'hex', 'binary', 'internal', 'ucs2', 'utf-7-imap', 'utf7imap']);
const UTF_7 = new Set(['utf-7', 'utf7', 'unicode-1-1-utf-7', 'csunicode11utf7', 'x-unicode-2-0-utf-7']);
/** Stateful encodings that no table holds; the platform decodes these. */
const BY_PLATFORM = new Set(['iso-2022-jp', 'csiso2022jp']);
/** A label without the quotes and the space around it. */
const BARE = /^["'\s]*([^"'\s]*)/;
const LABEL = /^[a-z0-9][a-z0-9._:+-]{0,40}$/;

/** Decodes bytes as text. A missing, unknown or wrong label still gives the most readable text. */
export function decodeText(bytes: Buffer, label = ''): string {
  return tidy(decode(bytes, BARE.exec(label)?.[1]?.toLowerCase() ?? ''));
}

function decode(bytes: Buffer, label: string): string {
  const name = ALIASES.get(label) ?? label;
  if (name === 'utf-8' || !LABEL.test(name) || NOT_CHARSETS.has(name)) return decodeUtf8(bytes);
  if (UTF_7.has(name)) return decodeUtf7(bytes);
  if (BY_PLATFORM.has(name)) return new TextDecoder('iso-2022-jp').decode(bytes);
  return iconv.encodingExists(name) ? iconv.decode(bytes, name) : decodeUtf8(bytes);
}

/**
 * UTF-8, or what was wrongly sent as it. Text with a few broken characters was cut somewhere and stays UTF-8;
 * text with more broken than sound ones was never UTF-8, and Windows' Latin is what it most often is.
 */
function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  let broken = 0;
  let sound = 0;
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === 0xfffd) broken += 1;
    else if (code > 0x7f) sound += 1;
  }
  return broken > sound ? iconv.decode(bytes, 'windows-1252') : text;
}

/** Without what a database or a JSON reader may stumble over: NULs, halves of characters, a mark of byte order. */
function tidy(text: string): string {
  const started = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const whole = /\p{Surrogate}/u.test(started) ? started.replace(/\p{Surrogate}/gu, '\ufffd') : started;
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
}
