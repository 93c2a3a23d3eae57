import { describe, expect, it } from '@jest/globals';
import { parseDate } from './dates.ts';

describe('the Date header', () => {
  it.each([
    ['Tue, 3 Mar 2026 10:00:00 +0100', '2026-03-03T09:00:00.000Z'],
    ['3 Mar 26 10:00 EST', '2026-03-03T15:00:00.000Z'],
    ['Tue, 3 March 2026 10:00:00 -0000 (comment)', '2026-03-03T10:00:00.000Z'],
    ['Tue Mar  3 10:00:00 2026', '2026-03-03T10:00:00.000Z'],
    ['Sun, 7 Feb 2106 06:28:16 GMT', '2106-02-07T06:28:16.000Z'],
    ['29 Feb 2024 00:00:00 +0000', '2024-02-29T00:00:00.000Z'],
    ['29 Feb 2026 00:00:00 +0000', undefined],
    ['3 Foo 2026 10:00:00 +0000', undefined],
    ['31 Dec 1969 23:59:59 +0000', undefined],
    ['1 Jan 1970 00:00:00 +0000', '1970-01-01T00:00:00.000Z'],
    ['31 Dec 9999 23:00:00 -0500', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%s', (field, expected) => {
    expect(parseDate(field)?.toISOString()).toBe(expected);
  });
});
