const toCommonJs = [
  '@swc/jest',
  { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
];
/** It imports Node's http when it first sends, which Jest's modules cannot do, and says nothing where that fails. */
const SPAN_EXPORTER = '@opentelemetry/otlp-exporter-base/build/src/';

/** @type {import('jest').Config} */
module.exports = {
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/', '/\\.postroom/'],
  transform: { '\\.ts$': toCommonJs, [`${SPAN_EXPORTER}.*\\.js$`]: toCommonJs },
  transformIgnorePatterns: [`/node_modules/(?!.*${SPAN_EXPORTER})`],
  testEnvironmentOptions: { customExportConditions: ['@postroom/source', 'node', 'require', 'default'] },
  maxWorkers: 2,
  testTimeout: 60_000,
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
};
