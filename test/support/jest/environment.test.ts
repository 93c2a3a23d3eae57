import { expect, it, jest } from '@jest/globals';

type Options = { projectConfig: object; globalConfig: object };
const ProcessEnvironment = require('./environment.js') as new (
  config: Options,
  context: object,
) => { teardown(): Promise<void> };

const LIMIT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const HANDLERS = Symbol.for('EVENT_HANDLERS');
const globals = globalThis as { [LIMIT]?: number; [HANDLERS]?: unknown[] };

const environmentOf = (testPath: string) => {
  const config = { globals: {}, testEnvironmentOptions: {} };
  return new ProcessEnvironment(
    { projectConfig: config, globalConfig: config },
    { console, docblockPragmas: {}, testPath },
  );
};

it('the limit that a file sets for its tests is not that of the next file', async () => {
  const environment = environmentOf('one.test.ts');
  jest.setTimeout(30_000);
  expect(globals[LIMIT]).toBe(30_000);

  await environment.teardown();

  expect(globals[LIMIT]).toBeUndefined();
});

it('the tests of a file are told to no handler that Jest added for the file before it', async () => {
  const environment = environmentOf('one.test.ts');
  globals[HANDLERS] = [() => undefined];

  await environment.teardown();

  expect(globals[HANDLERS]).toBeUndefined();
});

it('the tests of the deep tier alone have ten minutes each', async () => {
  await environmentOf('one.test.ts').teardown();
  expect(globals[LIMIT]).toBeUndefined();
  const environment = environmentOf('one.deep.test.ts');
  expect(globals[LIMIT]).toBe(600_000);
  await environment.teardown();
});
