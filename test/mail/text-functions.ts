import { domainOf, isAddress } from '@postroom/contract/address';
import { faultInName } from '@postroom/contract/text';
import { readCondition } from '@postroom/local/word-model/condition';
import { fold } from '@postroom/mail-store/fold';
import { emailWords } from '@postroom/mail-store/words';
import { parseAddresses } from '@postroom/mime/addresses';
import { failsDmarc } from '@postroom/mime/authentication';
import { decodeText } from '@postroom/mime/charset';
import { parseDate } from '@postroom/mime/dates';
import { decodeWords } from '@postroom/mime/encoded-words';
import { headerText } from '@postroom/mime/header-text';
import { withoutInvisible } from '@postroom/mime/invisible';
import { parseMessage } from '@postroom/mime/message';
import { messageIds } from '@postroom/mime/message-ids';
import { parseStructured } from '@postroom/mime/parameters';
import { decodeTransfer } from '@postroom/mime/transfer';
import { visibleText, writtenText } from '@postroom/mime/visible-text';
import { scrub } from '@postroom/runtime/redaction';
import { ownWords } from '../../services/classifier/src/correspondence/thread-text.ts';
import { jsonIn } from '../../services/classifier/src/model/json-in.ts';
import { replyShape } from '../../services/classifier/src/model/reply-prompt.ts';
import { cleanLine, cutToTokens } from '../../services/classifier/src/text/bounded-text.ts';
import { isDeeperThan } from '@postroom/http/json-depth';
import { correspondentOf } from '../../services/outbound-send/src/correspondents/correspondent.ts';

const message = (head: string, body: string) => () => {
  try {
    parseMessage(Buffer.from(`${head}\r\n\r\n${body}`));
  } catch {
    // A refusal by a bound is an answer, too.
  }
};

/** Every function through which text of strangers or callers passes at once, in the length in which it may come. */
export const textFunctions: Readonly<Record<string, (text: string) => unknown>> = {
  'addresses of a field': (text) => parseAddresses(text, 1_000),
  'an address': (text) => [isAddress(text), domainOf(text), correspondentOf(text)],
  'a name': (text) => faultInName(text, { min: 1, max: 50 }),
  'encoded words': decodeWords,
  'a header that leaves': headerText,
  'ids of messages': messageIds,
  'a date': parseDate,
  'parameters of a field': (text) => parseStructured(`text/plain; ${text}`),
  'results of authentication': (text) => failsDmarc([text, text]),
  'a label of a charset': (text) => decodeText(Buffer.from('a'), text),
  'text in UTF-8': (text) => decodeText(Buffer.from(text)),
  'text in UTF-7': (text) => decodeText(Buffer.from(text), 'utf-7'),
  'text in ISO-2022-JP': (text) => decodeText(Buffer.from(text), 'iso-2022-jp'),
  'text in GB 18030': (text) => decodeText(Buffer.from(text), 'gb18030'),
  'quoted-printable': (text) => decodeTransfer(Buffer.from(text), 'quoted-printable'),
  uuencode: (text) => decodeTransfer(Buffer.from(text), 'x-uuencode'),
  'text without invisible characters': withoutInvisible,
  'text of a page': visibleText,
  'text beside a page': writtenText,
  'text of a style': (text) => visibleText(`<style>${text}`),
  'an attribute of a page': (text) =>
    visibleText(`<b style="${text.replaceAll('"', '')}" class="${text.replaceAll('"', '')}">x`),
  'folded text': fold,
  'words of a text': (text) => emailWords(text, text),
  'a text for a model': (text) => [cutToTokens(text, 3_000), cleanLine(text)],
  'an earlier message for a model': (text) => ownWords({ by: 'sender', date: new Date(0), html: null, text }),
  'an answer of a model': (text) => [jsonIn(text), replyShape.read(text)],
  'a condition of a rule': readCondition,
  'depth of JSON': (text) => isDeeperThan(32, Buffer.from(text)),
  'a text for the log': scrub,
  'a message by its header': (text) => message(`Subject: ${text}\r\nFrom: ${text}\r\nReferences: ${text}`, '')(),
  'a message by its parts': (text) =>
    message(
      'Subject: x\r\nContent-Type: multipart/mixed; boundary=b',
      `--b\r\n${text.replaceAll('a', '\r\n--b\r\n')}`,
    )(),
};

/** Runs of these are tried on each of them. */
export const hostilePieces: readonly string[] = [
  ['a', ' ', '\n', '\t', '"', "'", '\\"', '(', '()', '<', '<>', '>', ',', ';', ':', '@', '"@', '=', '=?', '?=', '%'],
  [
    '=?utf-8?q?a?= ',
    '=?utf-8?b?YQ==?=',
    '=20',
    '= \n',
    '+AGE-',
    '+-',
    '\u001b$B',
    '&',
    '&amp;',
    '\u200c',
    'a\u200c',
    '\ufeff',
  ],
  ['<b>', '<div>', '<p>a', '</b>', '<!--', '<style>', '<a b="', '<table><tr><td>', '<b style="color:red">', '<li>a'],
  [
    '{',
    '}',
    '{}',
    '[',
    '```',
    '```\n',
    '/*',
    '.a,',
    'a{b:c}',
    'color:',
    'font:',
    ' transform:',
    'a.',
    '<a@b>',
    '\u4e2d',
  ],
  ['begin ', '*0*=', ';a=', 'dmarc=', 'dup key: {', 'Bearer ', '\r\n a', '--b', '\u{1f389}', '\u0130'],
].flat();
