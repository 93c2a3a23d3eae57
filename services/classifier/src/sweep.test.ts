import { describe, expect, it } from '@jest/globals';
import { NotNow } from '@postroom/events/bus';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { inMemory } from './in-memory.test-support.ts';
import { sweepOnce, sweepWaiting } from './sweep.ts';

const START = '2026-01-01T00:00:00Z';

/** Emails that wait since so many minutes before now. */
function waitingSince(...minutes: number[]) {
  const clock = manualClock(START);
  const world = inMemory({ clock });
  const emails = minutes.map((ago, n) => ({
    _id: `eml_${n}`,
    workspaceId: 'wsp_1',
    awaitsClassificationSince: new Date(clock.now() - ago * 60_000),
  }));
  const mail = {
    everyWorkspaces: async (before: Date) => emails.filter((email) => email.awaitsClassificationSince < before),
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

  it('goes on behind an email that fails, and stops where the model is away', async () => {
    const { world, deps } = waitingSince(60, 5);
    world.refuse = new Error('broken');
    expect(await sweepOnce(deps, signal())).toEqual({ done: 0, failed: 2 });
    world.onJudge = () => {
      throw new NotNow(1_000);
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
