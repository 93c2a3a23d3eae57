import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createKeyedQueue, Dropped } from './keyed-queue.ts';

const nextImmediate = () => new Promise((resolve) => setImmediate(resolve));

it('keeps the order of each key and the limit, and runs every job, in any order of ends and failures', async () => {
  const job = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), fails: fc.boolean(), rests: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(job, { maxLength: 15 }),
      fc.integer({ min: 1, max: 3 }),
      async (scheduler, jobs, limit) => {
        const queue = createKeyedQueue(() => limit);
        const order: number[] = [];
        const openKeys = new Set<string>();
        let busy = 0;
        const calls = jobs.map(({ key, fails, rests }, n) =>
          queue.add(key, async (rest) => {
            expect(openKeys.has(key)).toBe(false);
            openKeys.add(key);
            busy += 1;
            expect(busy).toBeLessThanOrEqual(limit);
            order.push(n);
            await scheduler.schedule(Promise.resolve());
            busy -= 1;
            if (rests) await rest(() => scheduler.schedule(Promise.resolve()).then(() => undefined));
            openKeys.delete(key);
            if (fails) throw new Error('broken');
          }),
        );
        const outcomes = Promise.allSettled(calls);
        await scheduler.waitFor(outcomes);
        expect((await outcomes).map(({ status }) => status === 'rejected')).toEqual(jobs.map(({ fails }) => fails));
        const ofKey = (key: string) => order.filter((n) => jobs[n]?.key === key);
        for (const key of ['a', 'b', 'c', 'd']) expect(ofKey(key)).toEqual(ofKey(key).toSorted((x, y) => x - y));
      },
    ),
    { numRuns: 100 },
  );
});

it('serves owners in rotation when one of them has jobs under many keys', async () => {
  const queue = createKeyedQueue(() => 1);
  const order: string[] = [];
  const add = (key: string, owner: string) => queue.add(key, async () => void order.push(key), [owner]);
  await Promise.all([add('b1', 'busy'), add('b2', 'busy'), add('b3', 'busy'), add('c1', 'calm')]);
  expect(order.indexOf('c1')).toBeLessThan(3);
});

it('begins nothing while it is held, and rejects only the jobs that have not begun when they are dropped', async () => {
  const queue = createKeyedQueue();
  let end: () => void = () => undefined;
  const running = queue.add('a', () => new Promise<void>((resolve) => (end = resolve)));
  const behind = queue.add('a', async () => undefined);
  queue.hold();
  const held = queue.add('b', async () => 7);
  await nextImmediate();
  queue.drop((key) => key === 'a');
  await expect(behind).rejects.toBeInstanceOf(Dropped);
  end();
  await running;
  queue.release();
  expect(await held).toBe(7);
});
