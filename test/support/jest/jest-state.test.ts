import { expect, it, jest } from '@jest/globals';

const { rememberJestState } = require('./jest-state.js') as { rememberJestState(): () => void };
const globals = globalThis as unknown as Record<symbol, unknown>;
const valueOf = (name: string) => globals[Symbol.for(name)];

it('a file does not repeat its failed tests because the file before it did', () => {
  const restore = rememberJestState();
  jest.retryTimes(2);
  expect(valueOf('RETRY_TIMES')).toBe(2);
  restore();
  expect(valueOf('RETRY_TIMES')).toBeUndefined();
});

it('the limit that a file sets for its tests is not that of the next file', () => {
  const restore = rememberJestState();
  jest.setTimeout(30_000);
  expect(valueOf('TEST_TIMEOUT_SYMBOL')).toBe(30_000);
  restore();
  expect(valueOf('TEST_TIMEOUT_SYMBOL')).toBeUndefined();
});

it('the tests of a file are told to no handler of the file before it, and are not kept for the next one', () => {
  const handlers = valueOf('EVENT_HANDLERS');
  const restore = rememberJestState();
  const ofAnotherFile = Symbol('JEST_STATE_SYMBOL');
  globals[ofAnotherFile] = { rootDescribeBlock: {} };
  globals[Symbol.for('EVENT_HANDLERS')] = [() => undefined];
  restore();
  expect(valueOf('EVENT_HANDLERS')).toBe(handlers);
  expect(globals[ofAnotherFile]).toBeUndefined();
});

it('a file knows no matcher, and takes no two values for equal, because the file before it did', () => {
  const restore = rememberJestState();
  expect.extend({ toBeOfAnotherFile: () => ({ pass: true, message: () => '' }) });
  expect.addEqualityTesters([() => true]);
  expect({ a: 1 }).toEqual({ a: 2 });
  restore();
  expect(expect(1)).not.toHaveProperty('toBeOfAnotherFile');
  expect({ a: 1 }).not.toEqual({ a: 2 });
});
