import { chunked } from '../raw-http.ts';

interface WireRow {
  what: string;
  /** The head, without what ends it; `{key}` is a key that may write. */
  head: string[];
  more?: string | Buffer;
  /** Where what follows the head comes later. */
  afterMs?: number;
  answer: string;
}

const HOST = 'Host: x';
const KEY = 'Authorization: Bearer {key}';
const JSON_TYPE = 'Content-Type: application/json';
const LABEL = '{"name":"Wired","color":"Red"}';
const get = (...headers: string[]) => ['GET /api/v1/labels HTTP/1.1', HOST, KEY, ...headers];
const post = (...headers: string[]) => ['POST /api/v1/labels HTTP/1.1', HOST, KEY, ...headers];
const sized = (body: string | Buffer) => `Content-Length: ${Buffer.byteLength(body)}`;
const json = (what: string, body: string | Buffer, answer: string, ...headers: string[]): WireRow => ({
  what,
  head: post(...(headers.length > 0 ? headers : [JSON_TYPE]), sized(body)),
  more: body,
  answer,
});

const UNREADABLE = '400 REQUEST_ERROR';
const UNKNOWN = '401 INVALID_API_KEY';
const TOO_LARGE = '413 PAYLOAD_TOO_LARGE';
const CHUNKED = 'Transfer-Encoding: chunked';

/** Bytes that no client library sends. A request that is not HTTP is refused before the key is checked. */
export const wireRows: WireRow[] = [
  { what: 'words', head: ['good morning'], answer: UNREADABLE },
  { what: 'a TLS greeting', head: ['\x16\x03\x01\x02\x00\x01\x00'], answer: UNREADABLE },
  { what: 'the preface of HTTP/2', head: ['PRI * HTTP/2.0', '', 'SM'], answer: UNREADABLE },
  { what: 'a version from the future', head: ['GET /api/v1/labels HTTP/3.0', HOST, KEY], answer: UNREADABLE },
  { what: 'an unknown method', head: ['BREW /api/v1/labels HTTP/1.1', HOST, KEY], answer: UNREADABLE },
  { what: 'a method in small letters', head: ['get /api/v1/labels HTTP/1.1', HOST, KEY], answer: UNREADABLE },
  { what: 'an address with a space', head: ['GET /api/v1/la bels HTTP/1.1', HOST, KEY], answer: UNREADABLE },
  { what: 'no host', head: ['GET /api/v1/labels HTTP/1.1', KEY], answer: UNREADABLE },
  { what: 'two hosts', head: get('Host: y'), answer: UNREADABLE },
  { what: 'a header without a name', head: get(': x'), answer: UNREADABLE },
  { what: 'a header with a space in its name', head: get('X Evil: 1'), answer: UNREADABLE },
  { what: 'a space before the colon', head: post('Content-Length : 2'), more: '{}', answer: UNREADABLE },
  { what: 'a folded header', head: get('X-Long: a', ' b'), answer: UNREADABLE },
  { what: 'a NUL in a header', head: get('X-Nul: a\0b'), answer: UNREADABLE },
  { what: 'a bare carriage return in a header', head: get('X-Cr: a\rb'), answer: UNREADABLE },
  { what: 'a head of 60 KB', head: get(`X-Long: ${'x'.repeat(60_000)}`), answer: UNREADABLE },
  {
    what: 'an address of 60 KB',
    head: [`GET /api/v1/emails?search=${'x'.repeat(60_000)} HTTP/1.1`, HOST, KEY],
    answer: UNREADABLE,
  },
  { what: 'an Expect that cannot be met', head: get('Expect: tea'), answer: UNREADABLE },
  { what: 'both lengths', head: post(JSON_TYPE, 'Content-Length: 4', CHUNKED), answer: UNREADABLE },
  { what: 'two lengths', head: post(JSON_TYPE, 'Content-Length: 2', 'Content-Length: 3'), answer: UNREADABLE },
  { what: 'two lengths in one', head: post(JSON_TYPE, 'Content-Length: 2, 2'), answer: UNREADABLE },
  { what: 'a length below nothing', head: post(JSON_TYPE, 'Content-Length: -1'), answer: UNREADABLE },
  { what: 'a length with a plus', head: post(JSON_TYPE, 'Content-Length: +2'), answer: UNREADABLE },
  { what: 'a length in hexadecimal', head: post(JSON_TYPE, 'Content-Length: 0x2'), answer: UNREADABLE },
  { what: 'an encoding that is not chunked', head: post(JSON_TYPE, 'Transfer-Encoding: gzip'), answer: UNREADABLE },
  { what: 'chunked and then another', head: post(JSON_TYPE, 'Transfer-Encoding: chunked, gzip'), answer: UNREADABLE },
  { what: 'chunked misspelt', head: post(JSON_TYPE, 'Transfer-Encoding: xchunked'), answer: UNREADABLE },
  {
    what: 'a chunk whose size is a word',
    head: post(JSON_TYPE, CHUNKED),
    more: 'zz\r\n{}\r\n0\r\n\r\n',
    answer: UNREADABLE,
  },
  {
    what: 'a chunk that is longer than it says',
    head: post(JSON_TYPE, CHUNKED),
    more: '2\r\n{}}\r\n0\r\n\r\n',
    answer: UNREADABLE,
  },
  {
    what: 'a chunk size beyond all numbers',
    head: post(JSON_TYPE, CHUNKED),
    more: `${'f'.repeat(17)}\r\n`,
    answer: UNREADABLE,
  },
  { what: 'a length of 262,145', head: post(JSON_TYPE, 'Content-Length: 262145'), answer: TOO_LARGE },
  { what: 'a length of a petabyte', head: post(JSON_TYPE, 'Content-Length: 1125899906842624'), answer: TOO_LARGE },
  {
    what: 'chunks of 262,145',
    head: post(JSON_TYPE, CHUNKED),
    more: chunked([Buffer.alloc(262_145, 0x20)]),
    answer: TOO_LARGE,
  },
  {
    what: 'too much asked for first',
    head: post(JSON_TYPE, 'Content-Length: 262145', 'Expect: 100-continue'),
    answer: TOO_LARGE,
  },
  { what: 'no body', head: post(JSON_TYPE), answer: UNREADABLE },
  { what: 'an empty body', head: post(JSON_TYPE, 'Content-Length: 0'), answer: UNREADABLE },
  json('no content type', LABEL, UNREADABLE, 'X-Other: 1'),
  json('a form', 'name=A&color=Red', UNREADABLE, 'Content-Type: application/x-www-form-urlencoded'),
  json('text', LABEL, UNREADABLE, 'Content-Type: text/plain'),
  json('JSON in another charset', LABEL, UNREADABLE, 'Content-Type: application/json; charset=latin1'),
  json('JSON that is said to be compressed', LABEL, UNREADABLE, JSON_TYPE, 'Content-Encoding: gzip'),
  json('UTF-16', Buffer.from(LABEL, 'utf16le'), UNREADABLE),
  json('bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), UNREADABLE),
  json('an overlong form of a slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), UNREADABLE),
  json('half an object', LABEL.slice(0, -1), UNREADABLE),
  json('two values', `${LABEL}${LABEL}`, UNREADABLE),
  json('NaN', '{"name":NaN,"color":"Red"}', UNREADABLE),
  json('33 levels', '['.repeat(33) + ']'.repeat(33), UNREADABLE),
  json('200,000 levels', '['.repeat(200_000), UNREADABLE),
  json('an Idempotency-Key of 256', LABEL, '400 VALIDATION_FAILED', JSON_TYPE, `Idempotency-Key: ${'k'.repeat(256)}`),
  { what: 'no key', head: ['GET /api/v1/labels HTTP/1.1', HOST], answer: UNKNOWN },
  { what: 'two keys', head: get(KEY), answer: UNKNOWN },
  { what: 'a key in a cookie', head: ['GET /api/v1/labels HTTP/1.1', HOST, 'Cookie: key={key}'], answer: UNKNOWN },
  { what: 'a key in the address', head: ['GET /api/v1/labels?key={key} HTTP/1.1', HOST], answer: UNKNOWN },
  {
    what: 'a key of another scheme',
    head: ['GET /api/v1/labels HTTP/1.1', HOST, 'Authorization: Basic {key}'],
    answer: UNKNOWN,
  },
  { what: 'an asterisk', head: ['OPTIONS * HTTP/1.1', HOST], answer: '404 NOT_FOUND' },
  { what: 'a tunnel', head: ['CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'], answer: '404 NOT_FOUND' },
  { what: 'a path that climbs', head: ['GET /api/v1/../../etc/passwd HTTP/1.1', HOST, KEY], answer: '404 NOT_FOUND' },
  {
    what: 'a path that climbs, encoded',
    head: ['GET /api/v1/%2e%2e/labels HTTP/1.1', HOST, KEY],
    answer: '404 NOT_FOUND',
  },
  { what: 'half an escape', head: ['GET /api/v1/labels/% HTTP/1.1', HOST, KEY], answer: '404 NOT_FOUND' },
  { what: 'TRACE', head: ['TRACE /api/v1/labels HTTP/1.1', HOST, KEY], answer: '404 NOT_FOUND' },
  { what: 'HTTP/1.0 without a key', head: ['GET /api/v1/labels HTTP/1.0'], answer: UNKNOWN },
  {
    what: 'HTTP/1.0 and no such label',
    head: ['GET /api/v1/labels/none HTTP/1.0', KEY],
    answer: '404 LABEL_NOT_FOUND',
  },
  {
    what: 'a body that comes late and is bad',
    head: post(JSON_TYPE, 'Content-Length: 2'),
    more: '{}',
    afterMs: 150,
    answer: '400 VALIDATION_FAILED',
  },
];
