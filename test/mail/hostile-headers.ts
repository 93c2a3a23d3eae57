import { bytes, compose, type HostileMaker } from './compose.ts';

const word = (charset: string, encoded: string, encoding = 'B') => `=?${charset}?${encoding}?${encoded}?=`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

const subjects: HostileMaker[] = [
  ['an encoded word', word('utf-8', base64('Grüße')), 'Grüße'],
  ['a word cut within a character', `${word('utf-8', 'R3LD')}\r\n ${word('utf-8', 'vMOfZQ==')}`, 'Grüße'],
  ['words of two charsets', `${word('utf-8', base64('ä'))} ${word('iso-8859-1', '=E4', 'Q')}`, 'ää'],
  ['spaces inside a Q word', '=?utf-8?Q?a b c?=', 'a b c'],
  ['an unknown charset', word('x-klingon', base64('abc')), 'abc'],
  ['an encoding that is none', '=?utf-8?X?abc?=', '=?utf-8?X?abc?='],
  ['a word that never ends', '=?utf-8?B?R3LD', '=?utf-8?B?R3LD'],
  ['broken base64', word('utf-8', '####'), ''],
  ['a language in the charset', '=?utf-8*de?Q?=C3=A4?=', 'ä'],
  ['a line break inside a word', '=?utf-8?Q?a=0D=0ABcc:_x@y.example?=', 'a Bcc: x@y.example'],
  ['NUL inside a word', '=?utf-8?Q?a=00b?=', 'ab'],
  ['raw UTF-8', 'Grüße aus Köln', 'Grüße aus Köln'],
  ['UTF-7', '=?utf-7?Q?+ARE-?=', 'đ'],
  ['ISO-2022-JP', word('iso-2022-jp', 'GyRCRnxLXBsoQg=='), '日本'],
  ['GB2312', word('gb2312', '1tC5+g=='), '中国'],
  ['KOI8-R', word('koi8-r', '8NLJ18XU'), 'Привет'],
  ['Windows quotes called Latin-1', '=?iso-8859-1?Q?=93hi=94?=', '“hi”'],
  ['an emoji', word('utf-8', base64('🎉 party')), '🎉 party'],
  ['a folded subject', 'one\r\n two\r\n\tthree', 'one two three'],
  ['a fold of spaces alone', 'one\r\n \r\n two', 'one  two'],
  ['nothing', '', ''],
].map(([name, subject, seen]) => () => ({
  name: `subject: ${name}`,
  raw: () => compose({ Subject: subject }),
  expected: 'stored' as const,
  ...(seen !== undefined && { seen: { subject: seen } }),
}));

const senders: HostileMaker[] = [
  ['no sender', undefined, ''],
  ['an empty sender', '', ''],
  ['the empty path', '<>', ''],
  ['a bare address', 'ann@x.example', 'ann@x.example'],
  ['a comment for a name', 'ann@x.example (Ann)', 'ann@x.example'],
  ['nested comments', 'ann@x.example (a (b (c)))', 'ann@x.example'],
  ['a comment that never ends', 'ann@x.example ((((((', 'ann@x.example'],
  ['a quoted comma', '"Bee, Ann" <ann@x.example>', 'ann@x.example'],
  ['an address in the name', '"ceo@bank.example" <evil@x.example>', 'evil@x.example'],
  ['two pairs of brackets', '"a" <fake@x.example> <real@x.example>', 'fake@x.example real@x.example'],
  ['a quote that never ends', '"Ann <ann@x.example>', 'ann@x.example'],
  ['a bracket that never ends', 'Ann <ann@x.example', 'ann@x.example'],
  ['a source route', '<@relay.example,@b.example:ann@x.example>', 'ann@x.example'],
  ['a quoted local part', '"ann bee"@x.example', '"ann bee"@x.example'],
  ['a domain of capitals', 'Ann@X.EXAMPLE', 'Ann@x.example'],
  ['an address literal', 'ann@[192.0.2.1]', 'ann@[192.0.2.1]'],
  ['an encoded name', `${word('utf-8', base64('Jörg'))} <j@x.example>`, 'j@x.example'],
  ['a comma in an encoded name', `${word('utf-8', base64('Bee, Ann'))} <ann@x.example>`, 'ann@x.example'],
  ['a local user', 'root', 'root'],
  ['a name alone', 'Ann Bee', ''],
  ['an international domain', 'ann@xn--mnchen-3ya.example', 'ann@xn--mnchen-3ya.example'],
  ['an international address', 'jörg@münchen.example', 'jörg@münchen.example'],
  ['zero width in the address', 'an\u200bn@x.example', 'an\ufffdn@x.example'],
  ['NUL in the address', 'a\0nn@x.example', 'ann@x.example'],
  ['two senders', 'a@x.example, b@y.example', 'a@x.example'],
  ['Outlook separators', 'a@x.example; b@y.example', 'a@x.example'],
].map(([name, from, seen]) => () => ({
  name: `sender: ${name}`,
  raw: () => compose({ From: from }),
  expected: 'stored' as const,
  seen: { from: seen ?? '' },
}));

const recipients: HostileMaker[] = [
  ['a group', 'Team: a@x.example, b@x.example;', 2],
  ['undisclosed recipients', 'undisclosed-recipients:;', 0],
  ['a group that never ends', 'Team: a@x.example, b@x.example', 2],
  ['groups within the list', 'c@x.example, Team: a@x.example;, d@x.example', 3],
  ['commas alone', ',,,,,', 0],
  ['no recipients', undefined, 0],
  ['a hundred thousand commas', ','.repeat(100_000), 0],
  ['a thousand recipients', Array.from({ length: 1_000 }, (_, n) => `u${n}@x.example`).join(', '), 1_000],
  ['five thousand recipients', Array.from({ length: 5_000 }, (_, n) => `user${n}@x.example`).join(', '), 1_000],
  ['a hundred thousand open quotes', '"'.repeat(99_999), undefined],
  ['a hundred thousand open brackets', '<'.repeat(100_000), undefined],
  ['a hundred thousand open comments', '('.repeat(100_000), undefined],
  ['a hundred thousand backslashes', `"${'\\'.repeat(100_000)}`, undefined],
  ['a hundred thousand groups', 'g:'.repeat(50_000), undefined],
  ['a hundred thousand at signs', '@'.repeat(100_000), undefined],
].map(([name, to, count]) => () => ({
  name: `recipients: ${name}`,
  raw: () => compose({ To: to as string | undefined }),
  expected: 'stored' as const,
  ...(count !== undefined && { seen: { to: count as number } }),
}));

const dates: HostileMaker[] = [
  ['1900', 'Mon, 1 Jan 1900 00:00:00 +0000', undefined],
  ['2106', 'Sun, 7 Feb 2106 06:28:16 +0000', '2106-02-07T06:28:16.000Z'],
  ['two digits', '3 Mar 26 10:00 +0100', '2026-03-03T09:00:00.000Z'],
  ['three digits', '3 Mar 126 10:00:00 GMT', '2026-03-03T10:00:00.000Z'],
  ['a zone by name', 'Tue, 3 Mar 2026 10:00:00 PST', '2026-03-03T18:00:00.000Z'],
  ['a military zone', 'Tue, 3 Mar 2026 10:00:00 A', '2026-03-03T10:00:00.000Z'],
  ['a comment', 'Tue, 3 Mar 2026 10:00:00 +0200 (CEST (summer))', '2026-03-03T08:00:00.000Z'],
  ['a leap second', 'Sat, 31 Dec 2016 23:59:60 +0000', '2016-12-31T23:59:59.000Z'],
  ['asctime', 'Tue Mar  3 10:00:00 2026', '2026-03-03T10:00:00.000Z'],
  ['ISO 8601', '2026-03-03T10:00:00Z', '2026-03-03T10:00:00.000Z'],
  ['folded', 'Tue,\r\n 3 Mar 2026\r\n 10:00:00\r\n +0000', '2026-03-03T10:00:00.000Z'],
  ['30 February', 'Mon, 30 Feb 2026 10:00:00 +0000', undefined],
  ['25 o’clock', 'Tue, 3 Mar 2026 25:00:00 +0000', undefined],
  ['year 99999', 'Tue, 3 Mar 99999 10:00:00 +0000', undefined],
  ['words', 'yesterday, around noon', undefined],
  ['nothing', '', undefined],
  ['no date', undefined, undefined],
  ['a hundred thousand digits', '1'.repeat(100_000), undefined],
].map(([name, date, seen]) => () => ({
  name: `date: ${name}`,
  raw: () => compose({ Date: date }),
  expected: 'stored' as const,
  ...(seen !== undefined && { seen: { date: seen } }),
}));

const blocks: HostileMaker[] = [
  () => ({
    name: 'a million headers',
    raw: () =>
      Buffer.concat([
        Buffer.from('Subject: many\r\n'),
        Buffer.from('X-A: b\r\n'.repeat(1_000_000)),
        Buffer.from('\r\nbody'),
      ]),
    expected: 'quarantined',
  }),
  () => ({
    name: 'a header of 30 MB',
    raw: () => compose({ 'X-Long': 'x'.repeat(30 * 1024 * 1024) }),
    expected: 'quarantined',
  }),
  () => ({
    name: 'a header folded 100,000 times',
    raw: () => compose({ 'X-Fold': 'a\r\n '.repeat(100_000) }),
    expected: 'quarantined',
  }),
  () => ({
    name: 'a header line without a colon',
    raw: () => Buffer.concat([Buffer.from('rubbish without colon\r\n'), compose({ Subject: 'after' })]),
    expected: 'stored',
    seen: { subject: 'after' },
  }),
  () => ({
    name: 'a header with a space before its colon',
    raw: () => compose({ 'Subject ': 'spaced', Subject: undefined }),
    expected: 'stored',
    seen: { subject: 'spaced' },
  }),
  () => ({
    name: 'two subjects',
    raw: () => Buffer.concat([Buffer.from('Subject: first\r\n'), compose({ Subject: 'second' })]),
    expected: 'stored',
    seen: { subject: 'first' },
  }),
  () => ({
    name: 'a fold on the first line',
    raw: () => Buffer.concat([Buffer.from(' folded\r\n'), compose({ Subject: 'x' })]),
    expected: 'stored',
  }),
  () => ({
    name: 'Latin-1 in a header',
    raw: () =>
      Buffer.concat([Buffer.from('Subject: caf'), bytes(0xe9), Buffer.from('\r\n'), compose({ Subject: undefined })]),
    expected: 'stored',
    seen: { subject: 'café' },
  }),
  () => ({
    name: 'NULs all over the header',
    raw: () => Buffer.from(compose({ Subject: 'n\0u\0l' })),
    expected: 'stored',
    seen: { subject: 'nul' },
  }),
  () => ({
    name: '10,000 references',
    raw: () => compose({ References: Array.from({ length: 5_000 }, (_, n) => `<${n}@x.example>`).join(' ') }),
    expected: 'stored',
  }),
  () => ({
    name: 'references that never close',
    raw: () => compose({ References: '<'.repeat(100_000) }),
    expected: 'stored',
  }),
  () => ({
    name: 'a Message-ID of 100,000 letters',
    raw: () => compose({ 'Message-ID': `<${'m'.repeat(100_000)}@x.example>` }),
    expected: 'stored',
  }),
  () => ({
    name: 'a Message-ID without brackets',
    raw: () => compose({ 'Message-ID': 'bare@x.example' }),
    expected: 'stored',
  }),
  () => ({ name: 'an empty Message-ID', raw: () => compose({ 'Message-ID': '<>' }), expected: 'stored' }),
  () => ({
    name: '50,000 parameters',
    raw: () => compose({ 'Content-Type': `text/plain${'; a=b'.repeat(50_000)}` }),
    expected: 'stored',
  }),
  () => ({
    name: '50,000 pieces of one parameter',
    raw: () =>
      compose({ 'Content-Type': `text/plain; ${Array.from({ length: 20_000 }, (_, n) => `n*${n}=x`).join('; ')}` }),
  }),
  () => ({
    name: 'keys of the prototype as headers',
    raw: () =>
      compose({ constructor: 'x', ['__proto__']: 'y', 'Content-Type': 'text/plain; constructor=1; __proto__=2' }),
    expected: 'stored',
  }),
  () => ({
    name: '20,000 encoded words',
    raw: () => compose({ Subject: `${word('utf-8', 'w6Q=')} `.repeat(10_000) }),
    expected: 'stored',
  }),
  () => ({
    name: 'encoded words that never end',
    raw: () => compose({ Subject: '=?utf-8?Q?a'.repeat(20_000) }),
    expected: 'stored',
  }),
];

export const hostileHeaders: readonly HostileMaker[] = [...subjects, ...senders, ...recipients, ...dates, ...blocks];
