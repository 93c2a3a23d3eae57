import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from '@jest/globals';

const { disableAsyncStorages } = require('./async-storages.js') as { disableAsyncStorages(): void };

it('disables each storage that a test file entered, and lets it be entered again', () => {
  const storage = new AsyncLocalStorage<string>();
  storage.run('first', () => {
    disableAsyncStorages();
    expect(storage.getStore()).toBeUndefined();
  });
  storage.run('second', () => expect(storage.getStore()).toBe('second'));
  storage.enterWith('third');
  disableAsyncStorages();
  expect(storage.getStore()).toBeUndefined();
});
