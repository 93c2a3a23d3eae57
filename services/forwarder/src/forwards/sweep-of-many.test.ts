import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import type { Classified } from './sweep-store.ts';
import { classifiedBefore, sweepWorld, type SweepWorldOptions } from './sweep-world.test-support.ts';

let clock: ManualClock;
beforeEach(() => {
  clock = manualClock('2026-03-01T12:00:00Z');
});

const MINUTE_MS = 60_000;
const world = (workspaces: Record<string, Classified[]>, options?: SweepWorldOptions) =>
  sweepWorld(clock, workspaces, options);
const classified = (_id: string, ageMs: number) => classifiedBefore(clock, _id, ageMs);
/** Without mail. */
const thousand = (): Record<string, Classified[]> =>
  Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`w${String(n).padStart(4, '0')}`, []]));

describe('the sweep for forwards, of many workspaces and of many emails', () => {
  it('finds a lost forward within ten seconds of the start, whichever of a thousand workspaces it is in', async () => {
    const { asked, queries, pass, close } = world({ ...thousand(), w0999: [classified('lost', MINUTE_MS)] });
    await pass(10_000);
    await close();
    expect(asked).toEqual(['lost']);
    expect(queries.length).toBeLessThanOrEqual(2 * 11);
  });

  it('keeps up with a workspace of an email in a second, which other processes forward, beside a thousand others', async () => {
    const elsewhere = Array.from({ length: 200 }, (_, n) => `e${n}`);
    const busy: Classified[] = [];
    const { asked, pass, close } = world({ ...thousand(), w0500: busy }, { elsewhere });
    for (const id of elsewhere) {
      busy.push(classified(id, 0));
      await pass(1_000);
    }
    busy.push(classified('lost', 0));
    await pass(15_000);
    await close();
    expect(asked).toEqual(['lost']);
  });

  it('finds a lost forward within a minute while those of ten other workspaces take ten seconds each, and fail', async () => {
    const ten = Array.from({ length: 10 }, (_, n) => {
      const slow = Array.from({ length: 50 }, (_one, m) => classified(`slow_${n}_${m}`, 10 * MINUTE_MS));
      return [`a${n}`, slow] as const;
    });
    const { asked, fails, pass, close } = world({ ...Object.fromEntries(ten), b: [classified('b', MINUTE_MS)] });
    fails((emailId) => (emailId === 'b' ? undefined : new ApiError('QUERY_TIMEOUT')));
    await pass(MINUTE_MS);
    const closed = close();
    await pass(MINUTE_MS);
    await closed;
    expect(asked).toEqual(['b']);
  });

  it('forwards all that a workspace has lost, more than is held at once, and what is stored late meanwhile', async () => {
    const ids = Array.from({ length: 400 }, (_, n) => `a${String(n).padStart(3, '0')}`);
    const kept = ids.map((id, n) => classified(id, 10 * MINUTE_MS - n));
    const { asked, pass, close } = world({ w: kept });
    await pass(20_000);
    kept.unshift(classified('late', 30_000));
    await pass(2 * MINUTE_MS);
    await close();
    expect(asked.toSorted()).toEqual([...ids, 'late']);
  });

  it('reads the rest of a workspace apart that has more than five thousand emails, twenty of them in a millisecond', async () => {
    const ids = Array.from({ length: 6_000 }, (_, n) => `a${String(n).padStart(4, '0')}`);
    const kept = ids.map((id, n) => classified(id, 10 * MINUTE_MS - Math.floor(n / 20)));
    const { asked, pass, close } = world(
      { a: [...kept, classified('last', 9 * MINUTE_MS)], b: [] },
      { elsewhere: ids },
    );
    await pass(9_000);
    expect(asked).toEqual([]);
    await pass(5_000);
    await close();
    expect(asked).toEqual(['last']);
  });

  it('finds lost forwards of other workspaces while the mail of one cannot be read, and its own when it can be', async () => {
    const { asked, breaks, pass, close } = world({
      a: [classified('of a', MINUTE_MS)],
      b: [classified('of b', MINUTE_MS)],
    });
    breaks('a');
    await pass(20_000);
    expect(asked).toEqual(['of b']);
    breaks(undefined);
    await pass(10_000);
    await close();
    expect(asked).toEqual(['of b', 'of a']);
  });
});
