/** @type {import('jest').Config} */
module.exports = {
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/', '/\\.postroom/'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  testEnvironment: '<rootDir>/test/support/jest/environment.js',
  testEnvironmentOptions: { customExportConditions: ['@postroom/source', 'node', 'require', 'default'] },
  runtime: '<rootDir>/test/support/jest/runtime.js',
  // Two more than the cores that the tests are timed on, because tests wait for timers and sockets.
  maxWorkers: 4,
  testTimeout: 60_000,
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
};
