import { compose, type HostileMaker } from './compose.ts';

const multipart = (boundary: string, kind = 'mixed') => ({
  'MIME-Version': '1.0',
  'Content-Type': `multipart/${kind}; boundary="${boundary}"`,
});
const textPart = (text: string) => `Content-Type: text/plain\r\n\r\n${text}\r\n`;
const plain = 'Content-Type: text/plain; charset=utf-8\r\n\r\n';

/** Parts within parts; the boundary differs on each level, or not. */
function nested(depth: number, sameBoundary: boolean): string {
  const boundary = (level: number) => (sameBoundary ? 'same' : `b${level}`);
  let body = '';
  for (let level = 1; level < depth; level++) {
    body += `--${boundary(level - 1)}\r\nContent-Type: multipart/mixed; boundary="${boundary(level)}"\r\n\r\n`;
  }
  return `${body}--${boundary(depth - 1)}\r\n${textPart('deep inside')}--${boundary(depth - 1)}--\r\n`;
}

const forwarded = (depth: number): string =>
  depth === 0
    ? compose({ Subject: 'innermost' }).toString()
    : compose({ 'Content-Type': 'message/rfc822' }, forwarded(depth - 1)).toString();

const many = (count: number, part: string) => `--b\r\n${part}`.repeat(count);
const base64Lines = (size: number) => `${'QUJD'.repeat(19)}\r\n`.repeat(Math.ceil(size / 78));
const attachment = (type: string, more = '') =>
  `Content-Type: ${type}${more}\r\nContent-Transfer-Encoding: base64\r\n\r\nAAECAw==\r\n`;
const inMixed = (...parts: string[]) =>
  compose(multipart('b'), `${parts.map((part) => `--b\r\n${part}`).join('')}--b--\r\n`);

const nesting: HostileMaker[] = [2, 10, 40, 49].map((depth) => () => ({
  name: `parts nested ${depth} deep`,
  raw: () => compose(multipart('b0'), nested(depth, false)),
  expected: 'stored',
  seen: { snippet: 'deep inside' },
}));
const tooDeep: HostileMaker[] = [60, 1_000, 20_000].map((depth) => () => ({
  name: `parts nested ${depth} deep`,
  raw: () => compose(multipart('b0'), nested(depth, false)),
  expected: 'quarantined',
}));
const sameBoundary: HostileMaker[] = [3, 100, 50_000].map((depth) => () => ({
  name: `parts nested ${depth} deep under one boundary`,
  raw: () => compose(multipart('same'), nested(depth, true)),
}));
const forwards: HostileMaker[] = [1, 5, 100, 500].map((depth) => () => ({
  name: `a forward of a forward, ${depth} times`,
  raw: () => compose({ 'Content-Type': 'message/rfc822' }, forwarded(depth)),
  expected: 'stored',
}));
const manyParts: HostileMaker[] = [100, 1_900].map((count) => () => ({
  name: `${count} parts`,
  raw: () => compose(multipart('b'), many(count, textPart('x'))),
  expected: 'stored',
}));
const tooManyParts: HostileMaker[] = [3_000, 200_000].map((count) => () => ({
  name: `${count} parts`,
  raw: () => compose(multipart('b'), many(count, textPart('x'))),
  expected: 'quarantined',
}));

const boundaries: HostileMaker[] = [
  ['no last delimiter', multipart('b'), `--b\r\n${plain}here`, 'here'],
  ['no delimiter at all', multipart('b'), 'just text', 'just text'],
  ['no boundary parameter', { 'Content-Type': 'multipart/mixed' }, '--b\r\n\r\ntext\r\n--b--', undefined],
  ['an empty boundary', { 'Content-Type': 'multipart/mixed; boundary=""' }, '--\r\n\r\ntext\r\n----', undefined],
  [
    'a boundary of a thousand letters',
    multipart('x'.repeat(1_000)),
    `--${'x'.repeat(1_000)}\r\n${plain}long\r\n--${'x'.repeat(1_000)}--`,
    'long',
  ],
  [
    'a boundary that is the beginning of the inner one',
    multipart('b'),
    `--b\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n${plain}inner\r\n--bb--\r\n--b--`,
    'inner',
  ],
  ['spaces after the delimiter', multipart('b'), `--b  \t\r\n${plain}spaced\r\n--b--  `, 'spaced'],
  ['delimiters that end in LF alone', multipart('b'), `--b\n${plain.replaceAll('\r', '')}lf\n--b--\n`, 'lf'],
  ['the last delimiter first', multipart('b'), `--b--\r\n${plain}after\r\n`, undefined],
  ['text before the first delimiter', multipart('b'), `preamble\r\n--b\r\n${plain}body\r\n--b--\r\nepilogue`, 'body'],
  ['a delimiter within a line', multipart('b'), `--b\r\n${plain}one --b two\r\n--b--`, 'one --b two'],
  ['a boundary of pattern characters', multipart('.*+?(x)'), `--.*+?(x)\r\n${plain}pattern\r\n--.*+?(x)--`, 'pattern'],
  ['parts without a header', multipart('b'), '--b\r\n\r\nbare\r\n--b--', 'bare'],
  ['a part that is cut in its header', multipart('b'), '--b\r\nContent-Type: text/pl', undefined],
  [
    'an inner multipart that is never closed',
    multipart('b'),
    `--b\r\nContent-Type: multipart/alternative; boundary=i\r\n\r\n--i\r\n${plain}open\r\n--b--`,
    'open',
  ],
  [
    'an unquoted boundary with a colon',
    { 'Content-Type': 'multipart/mixed; boundary=a:b=c' },
    `--a:b=c\r\n${plain}colon\r\n--a:b=c--`,
    'colon',
  ],
].map(([name, fields, body, snippet]) => () => ({
  name: name as string,
  raw: () => compose(fields as Record<string, string>, body as string),
  expected: 'stored' as const,
  ...(snippet !== undefined && { seen: { snippet: snippet as string } }),
}));

const attachments: HostileMaker[] = [
  ['winmail.dat', attachment('application/ms-tnef', '; name=winmail.dat'), 'winmail.dat'],
  ['a nameless winmail', attachment('application/ms-tnef'), 'winmail.dat'],
  ['an S/MIME signature', attachment('application/pkcs7-signature', '; name="smime.p7s"'), 'smime.p7s'],
  ['opaque S/MIME', attachment('application/pkcs7-mime', '; smime-type=enveloped-data'), 'smime.p7m'],
  [
    'a calendar invitation',
    `Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n`,
    'invite.ics',
  ],
  ['a path as a file name', attachment('image/png', '; name="C:\\\\temp\\\\a.png"'), 'a.png'],
  ['a file name that climbs', attachment('image/png', '; name="../../etc/passwd"'), 'passwd'],
  ['a file name of encoded words', attachment('image/png', '; name="=?utf-8?B?w6QucG5n?="'), 'ä.png'],
  ['a file name by RFC 2231', attachment('image/png', "; name*=utf-8''%C3%A4%20b.png"), 'ä b.png'],
  ['a file name in pieces', attachment('image/png', '; name*0*=utf-8\'\'%C3%A4; name*1="b."; name*2=png'), 'äb.png'],
  ['pieces out of order', attachment('image/png', '; name*1="b.png"; name*0="a"'), 'ab.png'],
  ['a piece cut within a character', attachment('image/png', "; name*0*=utf-8''%C3; name*1*=%A4.png"), 'ä.png'],
  ['an unknown charset in RFC 2231', attachment('image/png', "; name*=x-klingon'tlh'a.png"), 'a.png'],
  ['broken percent signs', attachment('image/png', "; name*=utf-8''100%.png"), '100%.png'],
  ['a file name with NUL', attachment('image/png', '; name="a\0.png"'), 'a.png'],
  ['a file name that never ends', attachment('image/png', `; name="${'n'.repeat(5_000)}`), 'n'.repeat(255)],
  [
    'a delivery report',
    'Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n',
    'delivery-status.txt',
  ],
  ['a nameless image', attachment('image/jpeg'), 'attachment.jpeg'],
  [
    'an empty one',
    'Content-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\r\n',
    'a.png',
  ],
  ['a type that is none', attachment('foo/bar/baz', '; name=x.bin'), 'x.bin'],
].map(([name, part, filename]) => () => ({
  name: `attachment: ${name}`,
  raw: () => inMixed(`${plain}see attached\r\n`, part as string),
  expected: 'stored' as const,
  seen: { filename: filename as string, snippet: 'see attached' },
}));

const sizes: HostileMaker[] = [
  () => ({
    name: 'an attachment of 30 MB',
    raw: () =>
      inMixed(
        `${plain}big\r\n`,
        `Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(30 * 1024 * 1024)}`,
      ),
    expected: 'stored',
    seen: { snippet: 'big', filename: 'a.zip' },
  }),
  () => ({
    name: '40 MB of quoted-printable attachment',
    raw: () =>
      inMixed(
        `Content-Type: application/x; name=q\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${'=41=\r\n'.repeat(7_000_000)}`,
      ),
  }),
  () => ({ name: 'one line of 40 MB', raw: () => compose({}, 'x'.repeat(40 * 1024 * 1024)), expected: 'stored' }),
  () => ({ name: '20 million empty lines', raw: () => compose({}, '\n'.repeat(20_000_000)), expected: 'stored' }),
  () => ({
    name: 'a base64 text of 30 MB',
    raw: () => compose({ 'Content-Transfer-Encoding': 'base64' }, base64Lines(30 * 1024 * 1024)),
    expected: 'stored',
  }),
  () => ({
    name: '1,900 text parts of 20 KB',
    raw: () => compose(multipart('b'), many(1_900, textPart('y'.repeat(20_000)))),
    expected: 'stored',
  }),
  () => ({ name: 'nothing', raw: () => Buffer.alloc(0), expected: 'quarantined' }),
  () => ({ name: 'line breaks alone', raw: () => Buffer.from('\r\n\r\n\r\n'), expected: 'quarantined' }),
  () => ({ name: 'one byte', raw: () => Buffer.from('x'), expected: 'quarantined' }),
  () => ({
    name: 'a megabyte of noise',
    raw: () => Buffer.from(Array.from({ length: 1_000_000 }, (_, n) => (n * 7_919 + (n >> 3) * 31) & 255)),
  }),
  () => ({ name: 'a megabyte of zeros', raw: () => Buffer.alloc(1_000_000), expected: 'quarantined' }),
  () => ({
    name: 'a header and no body',
    raw: () => Buffer.from('Subject: only\r\n'),
    expected: 'stored',
    seen: { subject: 'only' },
  }),
  () => ({
    name: 'lines that end in CR alone',
    raw: () => Buffer.from('Subject: mac\rFrom: a@b.example\r\rBody\r'),
    expected: 'stored',
    seen: { subject: 'mac', snippet: 'Body' },
  }),
  () => ({
    name: 'an mbox line in front',
    raw: () =>
      Buffer.concat([Buffer.from('From ann@x.example Tue Mar  3 10:00:00 2026\r\n'), compose({ Subject: 'boxed' })]),
    expected: 'stored',
    seen: { subject: 'boxed' },
  }),
  () => ({
    name: 'a byte order mark in front',
    raw: () => Buffer.concat([Buffer.from('\ufeff'), compose({ From: undefined, Subject: 'marked' })]),
    expected: 'stored',
    seen: { subject: 'marked' },
  }),
];

export const hostileStructures: readonly HostileMaker[] = [
  ...nesting,
  ...tooDeep,
  ...sameBoundary,
  ...forwards,
  ...manyParts,
  ...tooManyParts,
  ...boundaries,
  ...attachments,
  ...sizes,
];
