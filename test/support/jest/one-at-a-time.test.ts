import { expect, it } from '@jest/globals';

interface Storage<T> {
  getStore(): T | undefined;
  run(store: T, work: () => Promise<unknown>): Promise<unknown>;
}
const { OneAtATime } = require('./one-at-a-time.js') as { OneAtATime: new () => Storage<string> };

it('has what was begun last and is not over, in whichever order it ends', async () => {
  const storage = new OneAtATime();
  let end = { first: () => undefined as void, second: () => undefined as void };
  const until = (name: keyof typeof end) => () => new Promise<void>((resolve) => (end = { ...end, [name]: resolve }));
  const first = storage.run('first', until('first'));
  expect(storage.getStore()).toBe('first');
  const second = storage.run('second', until('second'));
  expect(storage.getStore()).toBe('second');
  end.first();
  await first;
  expect(storage.getStore()).toBe('second');
  end.second();
  await second;
  expect(storage.getStore()).toBeUndefined();
});

it('gives the answer or the error of the work, and ends with either', async () => {
  const storage = new OneAtATime();
  expect(await storage.run('one', () => Promise.resolve(1))).toBe(1);
  await expect(storage.run('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(storage.getStore()).toBeUndefined();
});
