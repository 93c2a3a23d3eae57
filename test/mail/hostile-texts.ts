import { bytes, compose, type HostileMaker } from './compose.ts';

const html = (page: string) => compose({ 'Content-Type': 'text/html; charset=utf-8' }, page);
const inCharset = (charset: string, body: Buffer) =>
  compose({ 'Content-Type': `text/plain; charset=${charset}` }, body);

const charsets: HostileMaker[] = [
  ['missing, and UTF-8', '', Buffer.from('Grüße'), 'Grüße'],
  ['missing, and Windows', '', bytes(0x47, 0x72, 0xfc, 0xdf, 0x65), 'Grüße'],
  ['UTF-8 that is Windows', 'utf-8', bytes(0x80, 0x20, 0x93, 0x94), '€ “”'],
  ['US-ASCII that is UTF-8', 'us-ascii', Buffer.from('naïve'), 'naïve'],
  ['Latin-1 with curly quotes', 'iso-8859-1', bytes(0x93, 0x61, 0x94), '“a”'],
  ['Windows-1252', 'windows-1252', bytes(0x80, 0x31, 0x30), '€10'],
  ['an invented name', 'x-nobody-knows', Buffer.from('plain'), 'plain'],
  ['a name of the prototype', 'constructor', Buffer.from('plain'), 'plain'],
  ['a codec that is no charset', 'base64', Buffer.from('plain'), 'plain'],
  ['quotes around the name', '"UTF-8"', Buffer.from('ä'), 'ä'],
  ['a name of 10,000 letters', 'c'.repeat(10_000), Buffer.from('plain'), 'plain'],
  ['UTF-16 with its mark', 'utf-16', Buffer.from('\ufeffhi', 'utf16le'), 'hi'],
  ['UTF-8 with its mark', 'utf-8', Buffer.from('\ufeffhi'), 'hi'],
  ['Shift_JIS', 'shift_jis', bytes(0x93, 0xfa, 0x96, 0x7b), '日本'],
  ['EUC-KR', 'ks_c_5601-1987', bytes(0xc7, 0xd1), '한'],
  ['Big5', 'big5', bytes(0xa4, 0xa4, 0xa4, 0xe5), '中文'],
  ['KOI8-R', 'koi8-r', bytes(0xf0, 0xd2, 0xc9), 'При'],
  ['ISO-2022-JP', 'iso-2022-jp', bytes(0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42), '日本'],
  ['a character cut at the end', 'utf-8', Buffer.concat([Buffer.from('Grüße '), bytes(0xc3)]), 'Grüße \ufffd'],
  ['halves of an emoji', 'utf-8', bytes(0x61, 0xed, 0xa0, 0xbd, 0x62), undefined],
  ['NULs', 'utf-8', Buffer.from('a\0b\0c'), 'abc'],
].map(([name, charset, body, snippet]) => () => ({
  name: `charset: ${name as string}`,
  raw: () => inCharset(charset as string, body as Buffer),
  expected: 'stored' as const,
  ...(snippet !== undefined && { seen: { snippet: snippet as string } }),
}));

const encodings: HostileMaker[] = [
  ['base64 with rubbish between', 'base64', 'SGVs\r\n!!\r\nbG8=', 'Hello'],
  ['base64 without padding', 'base64', 'SGVsbG8', 'Hello'],
  ['base64 that is text', 'base64', 'This is not base64!', undefined],
  ['quoted-printable with broken escapes', 'quoted-printable', 'a=ZZ=4', 'a=ZZ=4'],
  ['quoted-printable in small letters', 'quoted-printable', '=c3=a4', 'ä'],
  ['quoted-printable that ends in an escape', 'quoted-printable', 'end=', 'end'],
  ['a soft break with spaces', 'quoted-printable', 'one=  \r\ntwo', 'onetwo'],
  ['uuencode', 'x-uuencode', 'begin 644 a.txt\r\n%2&5L;&\\\r\n`\r\nend\r\n', 'Hello'],
  ['an encoding nobody knows', 'rot13', 'Uryyb', 'Uryyb'],
  ['an encoding in capitals', 'QUOTED-PRINTABLE', '=41', 'A'],
  ['two encodings at once', 'base64 quoted-printable', 'SGVsbG8=', 'Hello'],
].map(([name, encoding, body, snippet]) => () => ({
  name: `encoding: ${name}`,
  raw: () => compose({ 'Content-Transfer-Encoding': encoding }, body ?? ''),
  expected: 'stored' as const,
  ...(snippet !== undefined && { seen: { snippet } }),
}));

const pages: HostileMaker[] = [
  ['hidden by style', '<p style="display:none">no</p>yes', 'yes'],
  ['hidden by spelling', "<p STYLE='DISPLAY : NONE'>no</p>yes", 'yes'],
  ['hidden by an attribute', '<div hidden>no</div>yes', 'yes'],
  ['hidden by size', '<span style="font-size:0">no</span>yes', 'yes'],
  ['hidden, and nested in itself', '<div style="display:none"><div>no</div>no</div>yes', 'yes'],
  ['hidden, and never closed', '<p style="display:none">no<p>yes', 'yes'],
  ['a script', '<script>if (a < b) alert("no")</script>yes', 'yes'],
  ['a script that never ends', 'yes<script>no', 'yes'],
  ['a comment that never ends', 'yes<!-- no', 'yes'],
  ['a tag that never ends', 'yes<a href="', 'yes'],
  ['zero width between letters', 'pass\u200bword', 'password'],
  ['direction marks', 'a\u202egnp.exe', 'agnp.exe'],
  ['entities', '&lt;b&gt; &amp; &eacute; &#x20AC; &#0; &nosuch;', '<b> & é € \ufffd &nosuch;'],
  ['a conditional comment', '<!--[if mso]>no<![endif]-->yes', 'yes'],
  ['no text at all', '<img src="cid:x">', ''],
].map(([name, page, snippet]) => () => ({
  name: `html: ${name}`,
  raw: () => html(page ?? ''),
  expected: 'stored' as const,
  seen: { snippet: snippet ?? '' },
}));

const bombs: HostileMaker[] = [
  ['a million open tags', '<b>'.repeat(1_000_000)],
  ['a million closing tags', '</b>'.repeat(1_000_000)],
  ['half a million tags opened and half a million others closed', '<a>'.repeat(500_000) + '</b>'.repeat(500_000)],
  ['a million open quotes', '<a "'.repeat(1_000_000)],
  ['a million open comments', '<!--'.repeat(1_000_000)],
  ['a million entities', '&amp;'.repeat(1_000_000)],
  ['a million numeric entities', '&#x1F600;'.repeat(500_000)],
  ['a million brackets', '<'.repeat(4_000_000)],
  ['a million scripts', '<script>'.repeat(500_000)],
  ['a tag with a million attributes', `<p ${'a=b '.repeat(1_000_000)}>x`],
  ['a style of 5 MB', `<p style="${'a:b;'.repeat(1_200_000)}">x`],
  ['a million spaces', `a${' '.repeat(5_000_000)}b`],
  ['a million combining marks', `a${'\u0301'.repeat(1_000_000)}`],
  ['a million joiners', '\u200d'.repeat(1_000_000)],
  ['a million different words', Array.from({ length: 600_000 }, (_, n) => n.toString(36)).join(' ')],
  ['ligatures that grow when folded', '\ufdfa'.repeat(300_000)],
  ['tables in tables in tables', '<table><tr><td>'.repeat(200_000)],
].map(([name, page]) => () => ({ name: `html: ${name}`, raw: () => html(page ?? '') }));

const plainBombs: HostileMaker[] = [
  () => ({
    name: 'text: a million quoted lines',
    raw: () => compose({}, '> '.repeat(50).concat('\n').repeat(200_000)),
  }),
  () => ({ name: 'text: "On … wrote" without an end', raw: () => compose({}, `On ${'a '.repeat(1_000_000)}`) }),
  () => ({
    name: 'text: format=flowed, every line goes on',
    raw: () => compose({ 'Content-Type': 'text/plain; format=flowed' }, 'word \n'.repeat(500_000)),
  }),
  () => ({
    name: 'text: format=flowed',
    raw: () => compose({ 'Content-Type': 'text/plain; format=flowed; delsp=no' }, 'one \r\ntwo\r\n three\r\n'),
    expected: 'stored',
    seen: { snippet: 'one two three' },
  }),
  () => ({ name: 'text: CJK without spaces', raw: () => compose({}, '請求書'.repeat(200_000)), expected: 'stored' }),
  () => ({ name: 'text: controls', raw: () => compose({}, Buffer.from(Array.from({ length: 32 }, (_, n) => n))) }),
  () => ({ name: 'text: 3 MB of emoji', raw: () => compose({}, '👨‍👩‍👧'.repeat(120_000)), expected: 'stored' }),
];

export const hostileTexts: readonly HostileMaker[] = [...charsets, ...encodings, ...pages, ...bombs, ...plainBombs];
