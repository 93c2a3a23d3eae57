import { expect, it, jest } from '@jest/globals';

type Options = { projectConfig: object; globalConfig: object };
const ProcessEnvironment = require('./environment.js') as new (
  config: Options,
  context: object,
) => { teardown(): Promise<void> };

const LIMIT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const limits = globalThis as { [LIMIT]?: number };

it('the limit that a file sets for its tests is not that of the next file', async () => {
  const config = { globals: {}, testEnvironmentOptions: {} };
  const environment = new ProcessEnvironment(
    { projectConfig: config, globalConfig: config },
    { console, docblockPragmas: {}, testPath: __filename },
  );
  jest.setTimeout(30_000);
  expect(limits[LIMIT]).toBe(30_000);

  await environment.teardown();

  expect(limits[LIMIT]).toBeUndefined();
});
