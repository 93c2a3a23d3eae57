import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { manualClock } from './clock.ts';
import { createLog, silentLog } from './log.ts';
import { repeat } from './repeat.ts';

const nextImmediate = () => new Promise((resolve) => setImmediate(resolve));

it('runs at once, and again after the pause that a run returns', async () => {
  const clock = manualClock(0);
  const times: number[] = [];
  const pauses = [10, undefined, 0, 5];
  const task = async () => {
    times.push(clock.now());
    return pauses[times.length - 1];
  };
  const loop = repeat(task, { name: 'the test', everyMs: 100, clock, log: silentLog });
  await nextImmediate();
  await clock.advance(150);
  await loop.close();
  expect(times).toEqual([0, 10, 110, 110, 115]);
});

it('runs for the first time after the first pause, and never when it is closed before', async () => {
  const clock = manualClock(0);
  let runs = 0;
  const task = async () => void (runs += 1);
  const options = { name: 'the test', everyMs: 100, firstAfterMs: 50, clock, log: silentLog };
  await repeat(task, options).close();
  const loop = repeat(task, options);
  await clock.advance(49);
  expect(runs).toBe(0);
  await clock.advance(1);
  expect(runs).toBe(1);
  await loop.close();
});

it('logs a failure, and runs again after the pause', async () => {
  const clock = manualClock(0);
  const lines: string[] = [];
  const log = { ...createLog('test', 'silent'), warn: (_facts: unknown, line: string) => void lines.push(line) };
  let runs = 0;
  const task = async () => {
    runs += 1;
    throw new Error('broken');
  };
  const loop = repeat(task, { name: 'the test', everyMs: 100, clock, log: log as never });
  await nextImmediate();
  await clock.advance(100);
  await loop.close();
  expect(runs).toBe(2);
  expect(lines).toEqual(Array.from({ length: 2 }, () => 'the test failed; the next run tries again'));
});

it('waits at its close for the run, which is told by its signal, and logs no failure of it', async () => {
  const clock = manualClock(0);
  const lines: unknown[] = [];
  const log = { warn: (line: unknown) => void lines.push(line) } as never;
  const task = (signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const loop = repeat(task, { name: 'the test', everyMs: 100, clock, log });
  await loop.close();
  expect(lines).toEqual([]);
});

it('never runs twice at once, and leads each wake-up to a run that begins after it, in any order of events', async () => {
  const step = fc.constantFrom('wake', 'end', 'advance');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const clock = manualClock(0);
      let [begun, running, wakeAt] = [0, 0, -1];
      let end: () => void = () => undefined;
      const task = async () => {
        begun += 1;
        running += 1;
        expect(running).toBe(1);
        await new Promise<void>((resolve) => (end = resolve));
        running -= 1;
      };
      const loop = repeat(task, { name: 'the test', everyMs: 100, clock, log: silentLog });
      for (const one of steps) {
        if (one === 'wake') {
          loop.wake();
          wakeAt = begun;
        } else if (one === 'end') end();
        else await clock.advance(10);
        await nextImmediate();
      }
      end();
      await nextImmediate();
      if (wakeAt >= 0) expect(begun).toBeGreaterThan(wakeAt);
      const closed = loop.close();
      end();
      await closed;
      expect(running).toBe(0);
    }),
    { numRuns: 100 },
  );
});
