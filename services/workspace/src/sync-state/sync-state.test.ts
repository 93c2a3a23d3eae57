import { describe, expect, it } from '@jest/globals';
import type { SyncPart } from '@postroom/mail-store/documents/mailbox';
import { afterFailure, afterSuccess, beforeAnySync, isHopeless } from './sync-state.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-06-01T00:00:00Z');

/** The state after failures at these moments, refusals or not. */
function after(failures: readonly { at: number; isRefusal?: boolean }[]): SyncPart {
  return failures.reduce(
    (state, { at, isRefusal = false }) => afterFailure(state, { cause: 'no', isRefusal }, new Date(START + at)),
    beforeAnySync,
  );
}
const every = (ms: number, count: number, isRefusal = false) =>
  Array.from({ length: count }, (_, n) => ({ at: n * ms, isRefusal }));
const hopelessAt = (state: SyncPart, at: number) => isHopeless(state, new Date(START + at));

describe('a mailbox is given up', () => {
  it('after three refused logins over ten minutes, and not a moment sooner', () => {
    const refused = after(every(5 * MINUTE, 3, true));
    expect(hopelessAt(refused, 10 * MINUTE - 1)).toBe(false);
    expect(hopelessAt(refused, 10 * MINUTE)).toBe(true);
    expect(hopelessAt(after(every(5 * MINUTE, 2, true)), 60 * MINUTE)).toBe(false);
  });

  it('not after many refusals in one bad moment', () => {
    expect(hopelessAt(after(every(1_000, 40, true)), 40_000)).toBe(false);
  });

  it('after fifty failures over three days, whatever they were', () => {
    expect(hopelessAt(after(every(2 * HOUR, 49)), 98 * HOUR)).toBe(false);
    expect(hopelessAt(after(every(2 * HOUR, 50)), 98 * HOUR)).toBe(true);
    expect(hopelessAt(after(every(MINUTE, 500)), 71 * HOUR)).toBe(false);
  });

  it('not by refusals from before an attempt that went well', () => {
    const well = afterSuccess(after(every(5 * MINUTE, 2, true)));
    const again = afterFailure(well, { cause: 'no', isRefusal: true }, new Date(START + 60 * MINUTE));
    expect(again).toMatchObject({ failCount: 1, refusals: 1, refusedSince: new Date(START + 60 * MINUTE) });
    expect(hopelessAt(again, 60 * MINUTE)).toBe(false);
  });
});

it('a stored cause is one short line', () => {
  const { lastError } = afterFailure(
    beforeAnySync,
    { cause: `a\r\nb${'c'.repeat(999)}`, isRefusal: false },
    new Date(START),
  );
  expect(lastError).toMatch(/^a bc/);
  expect(lastError).toHaveLength(300);
});
