import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { growthOf, LINEAR } from '../../../test/support/growth.ts';
import { decodeText } from './charset.ts';
import { decodeUtf7 } from './utf7.ts';

const read = (text: string) => decodeUtf7(Buffer.from(text, 'latin1'));

describe('UTF-7', () => {
  it.each([
    ['Hi Mom -+Jjo--!', 'Hi Mom -\u263a-!'],
    ['A+ImIDkQ.', 'A\u2262\u0391.'],
    ['+ZeVnLIqe-', '\u65e5\u672c\u8a9e'],
    ['1 +- 1', '1 + 1'],
    ['+2D3cqQ', '\ud83d\udca9'],
    ['+AGE-+AGI-', 'ab'],
    ['+', ''],
    ['a+b', 'a'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('reads what the table library wrote', () => {
    for (const text of ['Gr\u00fc\u00dfe, \u4f60\u597d + \ud83c\udf89~\\', '\u0000\u007f\u0080', '++--&&']) {
      expect(decodeUtf7(iconv.encode(text, 'utf-7'))).toBe(text);
    }
  });

  it.each(['utf-7', 'UTF7', 'unicode-1-1-utf-7'])('is what %s means', (label) => {
    expect(decodeText(Buffer.from('+Jjo-'), label)).toBe('\u263a');
  });

  it.each(['+AGE-', '+-', '+', 'a', '+AGE', '+A'])('takes a time that grows with the length of runs of %s', (piece) => {
    const decode = (size: number) => void read(piece.repeat(size / piece.length));
    expect(growthOf(decode, 1_024_000)).toBeLessThanOrEqual(LINEAR);
  });

  it('asks for its bytes once, however many runs there are', () => {
    let calls = 0;
    const bytes = new Proxy(Buffer.from('+AGE-'.repeat(10_000)), {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          calls += 1;
          return Reflect.apply(value, target, given);
        };
      },
    });
    expect(decodeUtf7(bytes)).toBe('a'.repeat(10_000));
    expect(calls).toBe(1);
  });

  it('of 200,000 short runs takes a small part of the time of a decoder that begins anew for each run', () => {
    const runs = Buffer.from('+AGE-'.repeat(200_000));
    const timeOf = (decode: () => unknown): number => {
      const since = performance.now();
      decode();
      return performance.now() - since;
    };
    decodeUtf7(runs);
    const own = Math.min(...[1, 2, 3].map(() => timeOf(() => decodeUtf7(runs))));
    expect(own * 3).toBeLessThan(timeOf(() => iconv.decode(runs, 'utf-7')));
  });
});
