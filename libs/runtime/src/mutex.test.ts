import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMutex } from './mutex.ts';

it('runs one task at a time, in the order of the calls, and goes on after one that fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.boolean(), { maxLength: 12 }), async (scheduler, failing) => {
      const mutex = createMutex();
      const order: number[] = [];
      let running = 0;
      const calls = failing.map((fails, n) =>
        mutex.run(async () => {
          running += 1;
          expect(running).toBe(1);
          order.push(n);
          await scheduler.schedule(Promise.resolve());
          running -= 1;
          if (fails) throw new Error('broken');
          return n;
        }),
      );
      const outcomes = Promise.allSettled(calls);
      await scheduler.waitFor(outcomes);
      expect((await outcomes).map(({ status }) => status === 'rejected')).toEqual(failing);
      expect(order).toEqual(failing.map((_, n) => n));
    }),
    { numRuns: 100 },
  );
});
