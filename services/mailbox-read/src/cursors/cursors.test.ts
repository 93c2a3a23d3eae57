import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createCursors } from './cursors.ts';

const query = ['emails', 'wsp_1', 'INBOX', null];
const position = { tier: 1, after: { date: new Date('2026-01-02T03:04:05.678Z'), id: 'eml_1' } };

describe('a cursor', () => {
  it('leads back to its position, also in another process with the same secret', () => {
    expect(createCursors('s').read(query, createCursors('s').write(query, position))).toEqual(position);
    const start = { tier: 2, after: null };
    expect(createCursors('s').read(query, createCursors('s').write(query, start))).toEqual(start);
  });

  it('400 VALIDATION_FAILED under another secret, for another query or another workspace', () => {
    const cursors = createCursors('s');
    const cursor = cursors.write(query, position);
    expect(() => createCursors('t').read(query, cursor)).toThrow();
    expect(() => cursors.read(['emails', 'wsp_2', 'INBOX', null], cursor)).toThrow();
    expect(() => cursors.read(['emails', 'wsp_1', null, 'INBOX'], cursor)).toThrow();
  });

  it('400 VALIDATION_FAILED when anything in it was changed', () => {
    const cursors = createCursors('s');
    const cursor = cursors.write(query, position);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom('A', 'b', '0', '-', '_', '=', ' ', ''), (at, other) => {
        const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
        if (changed !== cursor) expect(() => cursors.read(query, changed)).toThrow('not valid');
      }),
    );
    for (const made of ['', 'null', '../..', 'e30', 'A'.repeat(5_000)]) {
      expect(() => cursors.read(query, made)).toThrow('not valid');
    }
  });
});
