import { describe, expect, it } from '@jest/globals';
import { manualClock, systemClock } from './clock.ts';

describe('the manual clock', () => {
  it('stands still until it is told otherwise', async () => {
    const clock = manualClock('2026-03-01T00:00:00Z');
    expect(clock.date().toISOString()).toBe('2026-03-01T00:00:00.000Z');
    await clock.advance(60_000);
    expect(clock.date().toISOString()).toBe('2026-03-01T00:01:00.000Z');
  });

  it('wakes sleepers in the order of their time, each at its own moment', async () => {
    const clock = manualClock(0);
    const woken: [string, number][] = [];
    const sleeper = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woken.push([name, clock.now()]);
    };
    const all = [sleeper('late', 300), sleeper('early', 100), sleeper('never', 1_000)];
    await clock.advance(500);
    expect(woken).toEqual([
      ['early', 100],
      ['late', 300],
    ]);
    expect(clock.sleeping).toBe(1);
    await clock.advance(500);
    await Promise.all(all);
  });

  it('runs a loop that falls asleep again as often as the time allows', async () => {
    const clock = manualClock(0);
    let repetitions = 0;
    const loop = async () => {
      for (;;) {
        await clock.sleep(1_000);
        repetitions += 1;
      }
    };
    void loop();
    await clock.advance(60_000);
    expect(repetitions).toBe(60);
  });
});

describe.each([
  ['manual', manualClock()],
  ['system', systemClock],
])('the %s clock', (_name, clock) => {
  it('ends a sleep with the reason of its signal', async () => {
    const controller = new AbortController();
    const asleep = clock.sleep(60_000, controller.signal);
    controller.abort(new Error('stopped'));
    await expect(asleep).rejects.toThrow('stopped');
    await expect(clock.sleep(1, controller.signal)).rejects.toThrow('stopped');
  });
});
