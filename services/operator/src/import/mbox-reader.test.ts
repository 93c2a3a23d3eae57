import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMboxReader } from './mbox-reader.ts';

const SEPARATOR = 'From ann@example.com Thu Jan  1 00:00:00 2026';
const LIMIT = 1_000_000;

function read(mbox: Buffer | string, cuts: number[] = [], limit = LIMIT) {
  const bytes = Buffer.from(mbox);
  const reader = createMboxReader(limit);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = edges.slice(1).map((edge, position) => bytes.subarray(edges[position], edge));
  return [...pieces.flatMap((piece) => reader.push(Buffer.from(piece))), ...reader.end()];
}

const texts = (mbox: string, cuts?: number[]) => read(mbox, cuts).map(({ raw }) => raw?.toString('latin1'));

/** Writes an mbox as an mboxrd writer does. */
function write(messages: string[], eol: string, separator = SEPARATOR) {
  return messages.map((message) => `${separator}${eol}${message.replaceAll(/^(>*From )/gm, '>$1')}${eol}`).join('');
}

describe('an mbox', () => {
  it('gives its messages without separators, quotes and the empty line between', () => {
    const mbox = `${SEPARATOR}\nSubject: a\n\n>From here\n>>From there\n\n${SEPARATOR}\nSubject: b\n\nx\n\n`;
    expect(texts(mbox)).toEqual(['Subject: a\n\nFrom here\n>From there\n', 'Subject: b\n\nx\n']);
  });

  it('ends well without a last newline, and without messages', () => {
    expect(texts(`${SEPARATOR}\nSubject: a\n\nx`)).toEqual(['Subject: a\n\nx']);
    expect(texts('')).toEqual([]);
    expect(texts(`${SEPARATOR}\n`)).toEqual([]);
  });

  it('finds separators that no empty line comes before, as some writers leave it out', () => {
    expect(texts(`${SEPARATOR}\na: 1\n\nx\n${SEPARATOR}\nb: 2\n\ny\n`)).toEqual(['a: 1\n\nx\n', 'b: 2\n\ny\n']);
  });

  it('takes a line that merely begins with From for text, where separators are dated', () => {
    expect(texts(`${SEPARATOR}\na: 1\n\nx\n\nFrom now on all is well.\n`)).toEqual([
      'a: 1\n\nx\n\nFrom now on all is well.\n',
    ]);
  });

  it('takes separators without a date, after an empty line, where the first has none', () => {
    expect(texts('From -\na: 1\n\nx\nFrom y\n\nFrom -\nb: 2\n\ny\n')).toEqual(['a: 1\n\nx\nFrom y\n', 'b: 2\n\ny\n']);
  });

  it.each([
    'From 1756@xxx Mon Sep 01 12:00:00 +0000 2025',
    'From - Tue Mar 03 09:15:00 2026',
    'From MAILER-DAEMON Fri Jul  8 12:08:34 2011',
    'From "a b"@example.com Fri Jul  8 12:08 2011 remote from x',
  ])('knows the separator %j', (separator) => {
    expect(texts(`${separator}\na: 1\n\n${separator}\nb: 2\n\n`)).toEqual(['a: 1\n', 'b: 2\n']);
  });

  it('counts a message over the limit, and goes on with the next', () => {
    const found = read(
      write(['a: 1\n\nx\n', `b: 2\n\n${'y'.repeat(5_000)}\n`, 'c: 3\n\nz\n'], '\n'),
      [3_000, 4_000],
      100,
    );
    expect(found.map(({ raw }) => raw?.toString() ?? null)).toEqual(['a: 1\n\nx\n', null, 'c: 3\n\nz\n']);
    expect(found[1]?.size).toBeGreaterThan(5_000);
  });

  it('holds back little of an endless line', () => {
    const reader = createMboxReader(100);
    reader.push(Buffer.from(`${SEPARATOR}\n`));
    const piece = Buffer.alloc(65_536, 'x');
    for (let n = 0; n < 1_600; n += 1) reader.push(piece);
    expect(reader.end()).toEqual([{ raw: null, size: 1_600 * 65_536 }]);
  });

  it('gives back exactly what a writer put in, wherever the pieces are cut', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        'From ',
        'From x',
        '>From y',
        '>>From z',
        '>',
        'Fro',
        SEPARATOR,
        `>${SEPARATOR}`,
        'Subject: s',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
      fc.constant('From '.repeat(400)),
    );
    const message = fc.array(line, { minLength: 1, maxLength: 12 });
    const file = fc.record({
      messages: fc.array(message, { minLength: 1, maxLength: 6 }),
      eol: fc.constantFrom('\n', '\r\n'),
      cuts: fc.array(fc.nat(), { maxLength: 12 }),
    });
    fc.assert(
      fc.property(file, ({ messages, eol, cuts }) => {
        const written = messages.map((lines) => `H: 1${eol}${lines.join(eol)}${eol}`);
        expect(texts(write(written, eol), cuts)).toEqual(written);
      }),
      { numRuns: 300 },
    );
  });
});
