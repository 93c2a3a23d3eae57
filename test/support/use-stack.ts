import { afterAll, beforeAll } from '@jest/globals';
import { startStack, type TestStack, type TestStackOptions } from './stack.ts';

/** One stack for all tests of a file or block: it is open from the first of them to the last, and filled in by then. */
export function useStack(options: TestStackOptions = {}): TestStack {
  const stack = {} as TestStack;
  beforeAll(async () => {
    Object.assign(stack, await startStack(options));
  });
  // It may have failed to open.
  afterAll(() => stack.close?.());
  return stack;
}
