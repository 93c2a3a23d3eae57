import fc from 'fast-check';
import iconv from 'iconv-lite';

/** Sound messages written in the many ways in which the same thing may be written; both parsers must read them alike. */
export const randomMail: fc.Arbitrary<Buffer> = fc.constant(null).chain(() => message());

interface Part {
  fields: string[];
  body: Buffer;
}

const CRLF = '\r\n';
const LETTERS = ['a', 'b', 'z', 'Q', '7', ' ', '-', 'ä', 'ß', 'é', 'ç', 'ñ'];
const WORLD = [...LETTERS, 'я', 'ж', '請', '求', 'あ', '한', '🎉', '€', '“'];

const textOf = (letters: readonly string[], max: number) =>
  fc
    .array(fc.constantFrom(...letters), { minLength: 1, maxLength: max })
    .map((list) => list.join('').replace(/ +/g, ' ').trim() || 'x');
const CHARSETS: readonly [string, readonly string[]][] = [
  ['utf-8', WORLD],
  ['iso-8859-1', LETTERS],
  ['windows-1252', [...LETTERS, '€', '“']],
  ['koi8-r', ['a', 'b', ' ', 'я', 'ж', 'Б']],
  ['shift_jis', ['a', ' ', '請', '求', 'あ']],
  ['gb18030', ['a', ' ', '請', '求', 'я']],
];
const charsetText = (max: number) =>
  fc.constantFrom(...CHARSETS).chain(([charset, letters]) => textOf(letters, max).map((text) => ({ charset, text })));

/** A header's text: as encoded words of either kind, cut where they may be cut, or bare where it is plain. */
const headerText = charsetText(30).chain(({ charset, text }) =>
  fc
    .record({ kind: fc.constantFrom('B', 'Q'), size: fc.integer({ min: 3, max: 12 }), bare: fc.boolean() })
    .map(({ kind, size, bare }) => {
      if (bare && /^[\x20-\x7e]+$/.test(text)) return text;
      const letters = [...text];
      const words = Array.from({ length: Math.ceil(letters.length / size) }, (_, n) =>
        letters.slice(n * size, (n + 1) * size).join(''),
      );
      return words.map((word) => encodedWord(charset, kind, iconv.encode(word, charset))).join(`${CRLF} `);
    }),
);

function encodedWord(charset: string, kind: string, bytes: Buffer): string {
  const payload =
    kind === 'B'
      ? bytes.toString('base64')
      : [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  return `=?${charset}?${kind}?${payload}?=`;
}

const local = fc.stringMatching(/^[a-z][a-z0-9.+_-]{0,10}[a-z0-9]$/).filter((name) => !name.includes('..'));
const domain = fc
  .stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/)
  .map((name) => `${name.replaceAll('--', '-')}.example`);
const email = fc.tuple(local, domain).map(([name, host]) => `${name}@${host}`);
const quoted = textOf(['a', 'b', ' ', ',', ';', '(', ')', '<', '.'], 12).map((name) => `"${name}"`);
const person = fc.oneof(
  email,
  email.map((address) => `<${address}>`),
  fc
    .tuple(headerText, email)
    .map(([name, address]) => (name.startsWith('=?') ? `${name} <${address}>` : `"${name}" <${address}>`)),
  fc.tuple(quoted, email).map(([name, address]) => `${name} <${address}>`),
);
const people = fc.array(person, { minLength: 1, maxLength: 4 }).map((list) => list.join(`,${CRLF}\t`));

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const date = fc
  .record({
    // From 1938 on, so that dates before the first one that is read come up, too.
    at: fc.integer({ min: -1_000_000_000, max: 4_000_000_000 }),
    zone: fc.constantFrom('+0000', '-0000', '+0130', '-0800', 'GMT', 'EST', '+1400'),
    hasDay: fc.boolean(),
    comment: fc.constantFrom('', ' (CEST)'),
  })
  .map(({ at, zone, hasDay, comment }) => {
    const moment = new Date(at * 1_000);
    const time = moment.toISOString().slice(11, 19);
    const day = `${moment.getUTCDate()} ${MONTHS[moment.getUTCMonth()]} ${moment.getUTCFullYear()} ${time} ${zone}${comment}`;
    return hasDay ? `${DAYS[moment.getUTCDay()]}, ${day}` : day;
  });

const body = fc
  .record({
    lines: fc.array(charsetText(60), { minLength: 1, maxLength: 6 }),
    encoding: fc.constantFrom('base64', 'quoted-printable', '8bit'),
  })
  .map(({ lines, encoding }) => {
    const charset = lines[0]?.charset ?? 'utf-8';
    const text = lines
      .filter((line) => line.charset === charset)
      .map((line) => line.text)
      .join(CRLF);
    return { charset, encoding, bytes: encode(iconv.encode(text, charset), encoding) };
  });

function encode(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(bytes.toString('base64').replace(/.{76}/g, `$&${CRLF}`));
  if (encoding !== 'quoted-printable') return bytes;
  const out = [...bytes].map((byte) =>
    byte === 13 || byte === 10 || (byte > 32 && byte < 127 && byte !== 61)
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return Buffer.from(
    out
      .map((letter, n) => (n % 60 === 59 && letter !== '\n' && letter !== '\r' ? `${letter}=${CRLF}` : letter))
      .join(''),
    'latin1',
  );
}

function leaf(): fc.Arbitrary<Part> {
  return body.map(({ charset, encoding, bytes }) => ({
    fields: [`Content-Type: text/plain; charset=${charset}`, `Content-Transfer-Encoding: ${encoding}`],
    body: bytes,
  }));
}

const filename = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9_-]{0,20}\.pdf$/).map((name) => `filename="${name}"`),
  textOf(WORLD, 12).map((name) => `filename*=utf-8''${percent(`${name}.pdf`)}`),
  textOf(WORLD, 12).map((name) => {
    const coded = percent(`${name}.pdf`);
    const cut = coded.indexOf('%', Math.floor(coded.length / 2));
    return cut < 1
      ? `filename*=utf-8''${coded}`
      : `filename*0*=utf-8''${coded.slice(0, cut)};${CRLF} filename*1*=${coded.slice(cut)}`;
  }),
);
const percent = (name: string) =>
  [...Buffer.from(name)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

const attachment: fc.Arbitrary<Part> = fc
  .record({
    filename,
    type: fc.constantFrom('application/pdf', 'image/png', 'text/csv'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 200 }),
    encoding: fc.constantFrom('base64', 'quoted-printable'),
  })
  .map(({ filename: name, type, bytes, encoding }) => ({
    fields: [
      `Content-Type: ${type}`,
      `Content-Disposition: attachment; ${name}`,
      `Content-Transfer-Encoding: ${encoding}`,
    ],
    body:
      encoding === 'base64'
        ? encode(Buffer.from(bytes), 'base64')
        : Buffer.from([...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')),
  }));

function multipart(kind: string, boundary: string, parts: readonly Part[]): Part {
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${boundary}${CRLF}${part.fields.join(CRLF)}${CRLF}${CRLF}`),
    part.body,
    Buffer.from(CRLF),
  ]);
  return {
    fields: [`Content-Type: multipart/${kind}; boundary="${boundary}"`],
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--${CRLF}`)]),
  };
}

const content: fc.Arbitrary<Part> = fc.oneof(
  leaf(),
  fc
    .tuple(leaf(), fc.array(attachment, { minLength: 1, maxLength: 3 }))
    .map(([text, files]) => multipart('mixed', 'outer', [text, ...files])),
  fc
    .tuple(leaf(), attachment)
    .map(([text, file]) => multipart('mixed', 'outer', [multipart('alternative', 'inner', [text, html(text)]), file])),
);

const html = ({ fields }: Part): Part => ({
  fields: [fields[0]?.replace('plain', 'html') ?? ''],
  body: Buffer.from('<p>the same</p>'),
});

function message(): fc.Arbitrary<Buffer> {
  return fc.record({ subject: headerText, from: person, to: people, date, content }).map((mail) => {
    const fields = [
      `Subject: ${mail.subject}`,
      `From: ${mail.from}`,
      `To: ${mail.to}`,
      `Date: ${mail.date}`,
      'MIME-Version: 1.0',
      ...mail.content.fields,
    ];
    return Buffer.concat([Buffer.from(`${fields.join(CRLF)}${CRLF}${CRLF}`), mail.content.body]);
  });
}
