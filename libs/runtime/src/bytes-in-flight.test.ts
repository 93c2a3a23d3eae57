import { expect, it } from '@jest/globals';
import { createBytesInFlight } from './bytes-in-flight.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('whoever comes waits for room, in the order of coming', async () => {
  const bytes = createBytesInFlight(100);
  const order: string[] = [];
  const leaveFirst = await bytes.enter(60, 'acme');
  void bytes.enter(70, 'acme').then((leave) => (order.push('second'), leave()));
  void bytes.enter(20, 'acme').then(() => order.push('third'));
  await turn();
  expect(order).toEqual([]);
  leaveFirst();
  await turn();
  expect(order).toEqual(['second', 'third']);
});

it('heavy ones that stay hold up no light one', async () => {
  const bytes = createBytesInFlight(100);
  const order: string[] = [];
  await bytes.enter(75, 'slow');
  void bytes.enter(75, 'slow').then(() => order.push('heavy'));
  void bytes.enter(10, 'acme').then(() => order.push('light'));
  await turn();
  expect(order).toEqual(['light']);
});

it('light ones that never end leave a heavy one its room', async () => {
  const bytes = createBytesInFlight(100);
  const enter = (_: unknown, at: number) => bytes.enter(10, `busy ${at % 2}`);
  const inside = await Promise.all(Array.from({ length: 10 }, enter));
  let isIn = false;
  void bytes.enter(75, 'acme').then(() => (isIn = true));
  for (const [at, leave] of inside.entries()) {
    leave();
    void enter(null, at);
    await turn();
  }
  expect(isIn).toBe(true);
});

it('one owner never has all of the room, however light each of his is', async () => {
  const bytes = createBytesInFlight(100);
  const order: string[] = [];
  for (let at = 0; at < 20; at++) void bytes.enter(10, 'slow').then(() => order.push('slow'));
  void bytes.enter(10, 'acme').then(() => order.push('acme'));
  await turn();
  expect(order).toEqual([...Array.from({ length: 5 }, () => 'slow'), 'acme']);
});

it('who has many waiting holds up himself alone', async () => {
  const bytes = createBytesInFlight(100);
  const order: string[] = [];
  const leaveFirst = await bytes.enter(75, 'slow');
  for (const name of ['one', 'two']) void bytes.enter(75, 'slow').then((leave) => (order.push(name), leave()));
  void bytes.enter(75, 'acme').then((leave) => (order.push('acme'), leave()));
  leaveFirst();
  await turn();
  expect(order).toEqual(['one', 'acme', 'two']);
});

it('what is larger than all of it has the room of the heavy ones to itself, and leaving twice frees nothing twice', async () => {
  const bytes = createBytesInFlight(100);
  const leave = await bytes.enter(1_000, 'acme');
  let isIn = false;
  void bytes.enter(20, 'acme').then(() => (isIn = true));
  await turn();
  expect(isIn).toBe(false);
  leave();
  leave();
  await turn();
  expect(isIn).toBe(true);
  let isTooMuch = false;
  void bytes.enter(75, 'acme').then(() => (isTooMuch = true));
  await turn();
  expect(isTooMuch).toBe(false);
});
