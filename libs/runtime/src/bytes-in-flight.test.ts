import { expect, it } from '@jest/globals';
import { createBytesInFlight } from './bytes-in-flight.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('whoever comes waits for room, in the order of coming', async () => {
  const bytes = createBytesInFlight(100);
  const order: string[] = [];
  const leaveFirst = await bytes.enter(60);
  void bytes.enter(80).then((leave) => (order.push('large'), leave()));
  void bytes.enter(10).then(() => order.push('small'));
  await turn();
  expect(order).toEqual([]);
  leaveFirst();
  await turn();
  expect(order).toEqual(['large', 'small']);
});

it('what is larger than all of it has it to itself, and leaving twice frees nothing twice', async () => {
  const bytes = createBytesInFlight(100);
  const leave = await bytes.enter(1_000);
  let isIn = false;
  void bytes.enter(1).then(() => (isIn = true));
  await turn();
  expect(isIn).toBe(false);
  leave();
  leave();
  await turn();
  expect(isIn).toBe(true);
  let isTooMuch = false;
  void bytes.enter(100).then(() => (isTooMuch = true));
  await turn();
  expect(isTooMuch).toBe(false);
});
