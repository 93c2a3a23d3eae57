import { expect, it } from '@jest/globals';
import { createInFlight } from './in-flight.ts';

it('never runs more than the limit at once, and all of them in the end', async () => {
  const inFlight = createInFlight(3);
  let running = 0;
  let most = 0;
  let done = 0;
  const task = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    done += 1;
  };
  for (let number = 0; number < 20; number += 1) await inFlight.add(task);
  await inFlight.drain();
  expect([most, done, running]).toEqual([3, 20, 0]);
});

it('throws what a task has thrown, once the others have ended', async () => {
  const inFlight = createInFlight(2);
  let isOtherDone = false;
  await inFlight.add(async () => {
    await new Promise(setImmediate);
    isOtherDone = true;
  });
  await inFlight.add(() => Promise.reject(new Error('no')));
  await expect(inFlight.drain()).rejects.toThrow('no');
  expect(isOtherDone).toBe(true);
  await expect(inFlight.add(() => Promise.resolve())).rejects.toThrow('no');
});
