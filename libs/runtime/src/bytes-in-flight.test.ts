import { expect, it } from '@jest/globals';
import { createBytesInFlight } from './bytes-in-flight.ts';

const nextImmediate = () => new Promise((resolve) => setImmediate(resolve));

/** Rooms of a process: 100 bytes for small messages (of at most 25 bytes) and 300 for large ones. */
function budgets() {
  const bytes = createBytesInFlight(400);
  const order: string[] = [];
  const enter = (size: number, owner: string, name = owner) =>
    bytes.enter(size, owner).then((stay) => {
      order.push(name);
      return stay;
    });
  return { bytes, order, enter };
}

it('an owner holds at most half of a room, and the others get the rest at once', async () => {
  const { order, enter } = budgets();
  for (let at = 0; at < 9; at++) void enter(75, 'slow');
  void enter(75, 'calm');
  await nextImmediate();
  expect(order).toEqual(['slow', 'slow', 'calm']);
});

it.each([150, 75, 26])('large messages of %d bytes that never end do not delay a small one', async (size) => {
  const { order, enter } = budgets();
  for (let at = 0; at < 30; at++) void enter(size, `slow ${at % 10}`, 'slow');
  await nextImmediate();
  void enter(25, 'calm');
  await nextImmediate();
  expect(order.at(-1)).toBe('calm');
});

it('small messages use the large room while nobody waits for it, and a large one that waits is served next', async () => {
  const { order, enter } = budgets();
  const small = Array.from({ length: 16 }, (_, at) => enter(25, `owner ${at}`, 'small'));
  void enter(150, 'large');
  void enter(25, 'owner 0', 'late');
  await nextImmediate();
  expect(order).toEqual(Array.from({ length: 16 }, () => 'small'));
  for (const stay of await Promise.all(small.slice(4, 10))) stay.leave();
  await nextImmediate();
  expect(order.at(-1)).toBe('large');
});

it('owners that wait are served in rotation', async () => {
  const { order, enter } = budgets();
  const first = await enter(150, 'slow');
  const second = await enter(150, 'other');
  for (const name of ['slow 1', 'slow 2']) void enter(150, 'slow', name);
  void enter(150, 'calm');
  first.leave();
  second.leave();
  await nextImmediate();
  expect(order.slice(2)).toEqual(['slow 1', 'calm']);
});

it('a holder is wanted away while another owner waits that has nothing, and not for the sake of its own messages', async () => {
  const { enter } = budgets();
  const one = await enter(150, 'one');
  const two = await enter(150, 'two');
  void enter(150, 'one');
  await nextImmediate();
  expect([one.isWanted(), two.isWanted()]).toEqual([false, false]);
  const waiting = enter(150, 'calm');
  await nextImmediate();
  expect([one.isWanted(), two.isWanted()]).toEqual([true, true]);
  two.leave();
  expect((await waiting).isWanted()).toBe(false);
  expect(one.isWanted()).toBe(false);
});

it('a message larger than the share counts as the share, and leaving twice frees its room once', async () => {
  const { order, enter } = budgets();
  const stay = await enter(10_000, 'one');
  void enter(150, 'two');
  stay.leave();
  stay.leave();
  await nextImmediate();
  void enter(150, 'three');
  void enter(150, 'four');
  await nextImmediate();
  expect(order).toEqual(['one', 'two', 'three']);
});

it('a waiter that gives up leaves the queue', async () => {
  const { bytes, order, enter } = budgets();
  const first = await enter(150, 'one');
  const second = await enter(150, 'two');
  const over = new AbortController();
  const given = bytes.enter(150, 'three', over.signal);
  over.abort(new Error('too late'));
  await expect(given).rejects.toThrow('too late');
  expect(first.isWanted()).toBe(false);
  second.leave();
  void enter(150, 'four');
  await nextImmediate();
  expect(order).toEqual(['one', 'two', 'four']);
});
