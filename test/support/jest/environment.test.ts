import { expect, it, jest } from '@jest/globals';

type Options = { projectConfig: object; globalConfig: object };
const ProcessEnvironment = require('./environment.js') as new (
  config: Options,
  context: object,
) => { teardown(): Promise<void> };

const LIMIT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const globals = globalThis as { [LIMIT]?: number };

const environmentOf = (testPath: string) => {
  const config = { globals: {}, testEnvironmentOptions: {} };
  return new ProcessEnvironment(
    { projectConfig: config, globalConfig: config },
    { console, docblockPragmas: {}, testPath },
  );
};

it('the tests of the deep tier alone have ten minutes each', async () => {
  await environmentOf('one.test.ts').teardown();
  expect(globals[LIMIT]).toBeUndefined();
  const environment = environmentOf('one.deep.test.ts');
  expect(globals[LIMIT]).toBe(600_000);
  await environment.teardown();
});

it('a file that ends its process with 0 ends it with 1', async () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const environment = environmentOf('one.test.ts');
  process.exit(0);
  await environment.teardown();
  expect(exit.mock.calls).toEqual([[1]]);
  exit.mockRestore();
});
