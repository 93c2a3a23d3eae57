import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hostileMessages } from './hostile.ts';
import { knownDifferences, UNREADABLE } from './known-differences.ts';
import { randomMail } from './random-mail.ts';
import { differences, ours, type Reading, theirs } from './two-parsers.ts';

/** The other parser takes minutes over the larger ones, or never comes back. */
const LARGEST = 60_000;

/** We read no date outside of these years, and the other parser reads any. */
function withinBounds(reading: Reading | string): Reading | string {
  if (typeof reading === 'string' || reading.date === '') return reading;
  const year = new Date(reading.date).getUTCFullYear();
  return year >= 1970 && year <= 9999 ? reading : { ...reading, date: '' };
}

describe('a second parser', () => {
  it('reads subject, people, date, text and attachments of sound mail as we do', async () => {
    const property = fc.asyncProperty(randomMail, async (raw) => {
      expect(ours(raw)).toEqual(withinBounds(await theirs(raw)));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('differs over odd mail exactly where it is written down, with who is right', async () => {
    const found: Record<string, string[]> = {};
    for (const make of hostileMessages) {
      const { name, raw: makeRaw } = make();
      const raw = UNREADABLE.test(name) ? null : makeRaw();
      if (raw === null || raw.length > LARGEST) continue;
      const differing = differences(ours(raw), await theirs(raw));
      if (differing.length > 0) found[name] = differing;
    }
    expect(found).toEqual(Object.fromEntries(knownDifferences.map(({ name, parts }) => [name, parts])));
  });
});
