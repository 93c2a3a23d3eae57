import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFairLimit, type Release, TooManyWaiting } from './fair-limit.ts';

const nextImmediate = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for a permit and writes the owner down when it is given. */
function recorder(limit: ReturnType<typeof createFairLimit>) {
  const order: string[] = [];
  const releases: Release[] = [];
  const ask = (owner: string, weight = 1) =>
    void limit.acquire(owner, { weight }).then((release) => {
      order.push(owner);
      releases.push(release);
    });
  return { order, releases, ask };
}

it('serves owners in rotation when one of them asks for much more', async () => {
  const limit = createFairLimit({ total: 1 });
  const { order, releases, ask } = recorder(limit);
  for (const owner of ['busy', 'busy', 'busy', 'busy', 'calm', 'other']) ask(owner);
  for (let step = 0; step < 6; step += 1) {
    await nextImmediate();
    releases[step]?.();
  }
  expect(order).toEqual(['busy', 'calm', 'other', 'busy', 'busy', 'busy']);
});

it('gives a permit beyond the share of a slow owner to the others at once', async () => {
  const limit = createFairLimit({ total: 3, perOwner: 2 });
  const { order, ask } = recorder(limit);
  for (const owner of ['slow', 'slow', 'slow', 'slow', 'calm']) ask(owner);
  await nextImmediate();
  expect(order).toEqual(['slow', 'slow', 'calm']);
});

it('leaves a permit for one owner more, however many others wait for all there are and keep what they get', async () => {
  for (let others = 1; others < 20; others += 1) {
    const limit = createFairLimit({ total: 32, leavesFree: true });
    const { order, releases, ask } = recorder(limit);
    for (let n = 0; n < 32; n += 1) for (let other = 0; other < others; other += 1) ask(`other ${other}`);
    await nextImmediate();
    const counts = Array.from({ length: others }, (_, other) => limit.held(`other ${other}`));
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    const held = order.length;
    ask('calm');
    await nextImmediate();
    expect([others, order.slice(held)]).toEqual([others, ['calm']]);
    // Nobody is forgotten, and what becomes free is used.
    for (let step = 0; step < releases.length; step += 1) {
      releases[step]?.();
      await nextImmediate();
    }
    expect(order).toHaveLength(32 * others + 1);
  }
});

it('does not starve a heavy waiter behind light ones', async () => {
  const limit = createFairLimit({ total: 10 });
  const { order, releases, ask } = recorder(limit);
  ask('light', 5);
  ask('heavy', 10);
  ask('light', 1);
  await nextImmediate();
  releases[0]?.();
  await nextImmediate();
  expect(order).toEqual(['light', 'heavy']);
});

it('counts a weight over the share as the whole share', async () => {
  const limit = createFairLimit({ total: 10, perOwner: 4 });
  const release = await limit.acquire('large', { weight: 1_000 });
  expect(limit.held('large')).toBe(4);
  release();
  release();
  expect(limit.held('large')).toBe(0);
});

it('refuses one more waiter of an owner than may wait, and nobody else', async () => {
  const limit = createFairLimit({ total: 1, mostWaiting: 1 });
  const release = await limit.acquire('busy');
  const second = limit.acquire('busy');
  await expect(limit.acquire('busy')).rejects.toBeInstanceOf(TooManyWaiting);
  const other = limit.acquire('calm');
  release();
  (await other)();
  (await second)();
});

it('takes a waiter out of the queue when its signal is aborted', async () => {
  const limit = createFairLimit({ total: 1 });
  const release = await limit.acquire('one');
  const over = new AbortController();
  const waiting = limit.acquire('two', { signal: over.signal });
  over.abort(new Error('gave up'));
  await expect(waiting).rejects.toThrow('gave up');
  release();
  expect(limit.tryAcquire('three')).toBeDefined();
});

it('lets many waiters share one signal without a warning of a leak', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  const limit = createFairLimit({ total: 1 });
  const release = await limit.acquire('one');
  const over = new AbortController();
  const waiting = Array.from({ length: 30 }, () => limit.acquire('two', { signal: over.signal }));
  over.abort(new Error('gave up'));
  await Promise.allSettled(waiting);
  await nextImmediate();
  process.off('warning', note);
  release();
  expect(warnings).toEqual([]);
});

it('gives the permit back when the task throws', async () => {
  const limit = createFairLimit({ total: 1 });
  await expect(limit.run('one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(limit.run('one', () => Promise.resolve(7))).resolves.toBe(7);
});

it('keeps both bounds, forgets nobody and leaves no room unused, whatever is asked and released', async () => {
  const step = fc.oneof(
    fc.record({ ask: fc.constantFrom('a', 'b', 'c'), weight: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ release: fc.nat(20) }),
  );
  const bounds = fc.record({ total: fc.integer({ min: 1, max: 8 }), perOwner: fc.integer({ min: 1, max: 8 }) });
  await fc.assert(
    fc.asyncProperty(bounds, fc.array(step, { maxLength: 40 }), async ({ total, perOwner }, steps) => {
      const limit = createFairLimit({ total, perOwner });
      const share = Math.min(total, perOwner);
      const inside: Release[] = [];
      let [asked, admitted] = [0, 0];
      const check = async () => {
        await nextImmediate();
        const held = ['a', 'b', 'c'].map((owner) => limit.held(owner));
        expect(Math.max(...held)).toBeLessThanOrEqual(share);
        expect(held.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(total);
        if (asked > admitted) expect(inside.length).toBeGreaterThan(0);
      };
      for (const one of steps) {
        if ('ask' in one) {
          asked += 1;
          void limit.acquire(one.ask, { weight: one.weight }).then((release) => {
            admitted += 1;
            inside.push(release);
          });
        } else inside.splice(one.release % Math.max(1, inside.length), 1)[0]?.();
        await check();
      }
      while (inside.length > 0) {
        inside.shift()?.();
        await nextImmediate();
      }
      expect(admitted).toBe(asked);
    }),
    { numRuns: 200 },
  );
});
