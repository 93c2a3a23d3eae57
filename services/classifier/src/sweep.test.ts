import { describe, expect, it } from '@jest/globals';
import { RetryLater } from '@postroom/events/bus';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { inMemory } from './in-memory.test-support.ts';
import { sweepOnce, sweepWaiting } from './sweep.ts';
import type { WaitingEmail } from './waiting-store.ts';

const START = '2026-01-01T00:00:00Z';
const MOST_PAGES = 500;

/** Emails that wait since so many minutes before now. */
function waitingSince(...minutes: number[]) {
  const clock = manualClock(START);
  const world = inMemory({ clock });
  const emails = minutes.map((ago, n) => ({
    _id: `eml_${n}`,
    workspaceId: 'wsp_1',
    awaitsClassificationSince: new Date(clock.now() - ago * 60_000),
  }));
  let pages = 0;
  const mail = {
    everyWorkspaces: async (before: Date, after: WaitingEmail | undefined, limit: number) => {
      if (++pages > MOST_PAGES) throw new Error('asked for page after page, without an end');
      const behind = after ? emails.findIndex(({ _id }) => _id === after._id) + 1 : 0;
      return emails
        .slice(behind)
        .filter(({ awaitsClassificationSince }) => awaitsClassificationSince < before)
        .slice(0, limit);
    },
  };
  return { clock, world, deps: { classifyDeps: world.deps, mail, lag: async () => 0, clock, log: silentLog } };
}
const signal = () => new AbortController().signal;

describe('the sweep for emails whose event was lost', () => {
  it('does with them as their event would have, and leaves those to the bus that have just come', async () => {
    const { world, deps } = waitingSince(60, 5, 1);
    expect(await sweepOnce(deps, signal())).toEqual({ done: 2, failed: 0 });
    expect(world.recorded.map(({ emailId }) => emailId)).toEqual(['eml_0', 'eml_1']);
    expect(world.operations).toHaveLength(2);
  });

  it('asks once for each of more emails than it is given at a time, however many of them fail', async () => {
    const { world, deps } = waitingSince(...Array.from({ length: 250 }, () => 60));
    world.refuse = new Error('broken');
    expect(await sweepOnce(deps, signal())).toEqual({ done: 0, failed: 250 });
    expect(new Set(world.operations).size).toBe(250);
    expect(world.operations).toHaveLength(250);
  });

  it('stops where the database or a service is away, and holds that against no email', async () => {
    const { world, deps } = waitingSince(60, 5);
    world.refuse = Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' });
    expect(await sweepOnce(deps, signal())).toEqual({ done: 0, failed: 0 });
    expect(world.operations).toHaveLength(1);
  });

  it('comes seldomer while every email fails, at the most once an hour, and soon again once one does not', async () => {
    const { clock, world, deps } = waitingSince(60);
    world.refuse = new Error('broken');
    const stop = new AbortController();
    const asked: number[] = [];
    const begun = clock.now();
    world.onJudge = () => void asked.push((clock.now() - begun) / 60_000);
    const sweeping = sweepWaiting(deps, stop.signal);
    for (let half = 0; half < 2 * 60 * 6; half++) await clock.advance(30_000);
    const pauses = asked.map((at, n) => at - (asked[n - 1] ?? 0));
    expect(pauses).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    world.refuse = undefined;
    asked.length = 0;
    for (let half = 0; half < 2 * 70; half++) await clock.advance(30_000);
    expect(asked.length).toBeGreaterThan(2);
    stop.abort(new Error('closing'));
    await sweeping;
  });

  it('comes again after a sweep that could not be made', async () => {
    const { clock, world, deps } = waitingSince(60);
    let sweeps = 0;
    const everyWorkspaces: typeof deps.mail.everyWorkspaces = async (...asked) => {
      if (sweeps++ === 0) throw new Error('no primary');
      return deps.mail.everyWorkspaces(...asked);
    };
    const stop = new AbortController();
    const sweeping = sweepWaiting({ ...deps, mail: { everyWorkspaces } }, stop.signal);
    for (let half = 0; half < 3; half++) await clock.advance(30_000);
    expect(world.recorded.length).toBeGreaterThan(0);
    stop.abort(new Error('closing'));
    await sweeping;
  });

  it('goes on behind an email that fails, and stops where the model is away', async () => {
    const { world, deps } = waitingSince(60, 5);
    world.refuse = new Error('broken');
    expect(await sweepOnce(deps, signal())).toEqual({ done: 0, failed: 2 });
    world.onJudge = () => {
      throw new RetryLater(1_000);
    };
    world.asked.length = 0;
    expect(await sweepOnce(deps, signal())).toEqual({ done: 0, failed: 0 });
    expect(world.asked).toHaveLength(1);
  });

  it('begins only when the bus has nothing more to bring', async () => {
    const { clock, world, deps } = waitingSince(60);
    let lag = 1;
    const stop = new AbortController();
    const sweeping = sweepWaiting({ ...deps, lag: async () => lag }, stop.signal);
    await clock.advance(60_000);
    expect(world.recorded).toEqual([]);
    lag = 0;
    for (let n = 0; n < 3; n++) await clock.advance(30_000);
    expect(world.recorded.length).toBeGreaterThan(0);
    stop.abort(new Error('closing'));
    await sweeping;
  });
});
