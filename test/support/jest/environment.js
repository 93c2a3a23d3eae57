const { basename } = require('node:path');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { disableAsyncStorages } = require('./async-storages.js');
const { rememberJestState } = require('./jest-state.js');

/**
 * Jest gives every test file a realm of its own, with an Array and an Error of its own, so a package that is loaded once
 * (see runtime.js) would not recognise what a test hands it. Here every file runs in the realm of the process, as the product does.
 */
const contexts = new WeakSet();
/** Where `jest.setTimeout` keeps the limit of a file. */
const LIMIT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** The limit in the deep tier ends what hangs, on the slowest machine too. It promises nothing. */
const DEEP_LIMIT_MS = 600_000;
const PROGRESS = new Set(['hook_start', 'hook_failure', 'test_start', 'test_done', 'run_finish']);
/** By file name. Jest compiles the support of tests anew for each test file, although only its evaluation differs. */
const compiled = new Map();
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) => {
  const isOurs = options?.parsingContext !== undefined && contexts.has(options.parsingContext);
  if (!isOurs) return compileFunction(code, parameters, options);
  const { filename } = options;
  const known = compiled.get(filename);
  if (known?.code === code) return known.evaluate;
  // Without the callback for import(), which swc has replaced, a compiled file does not keep the test file alive that loaded it first.
  const evaluate = compileFunction(code, parameters, { filename });
  compiled.set(filename, { code, evaluate });
  return evaluate;
};

module.exports = class ProcessEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    contexts.add(this.context);
    this.file = context.testPath;
    this.restoreJestState = rememberJestState();
    if (context.testPath.endsWith('.deep.test.ts')) globalThis[LIMIT] = DEEP_LIMIT_MS;
    this.global = globalThis;
    const { exit } = process;
    this.before = { console: globalThis.console, exit, env: { ...process.env } };
    // The tests that such a file did not come to are red, also where Jest runs them in its own process.
    process.exit = (code) => exit(code || 1);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  handleTestEvent({ name, hook, test }) {
    if (!process.env.POSTROOM_TEST_PROGRESS || !PROGRESS.has(name)) return;
    process.stderr.write(`${basename(this.file)}: ${name} ${hook?.type ?? ''} ${test?.name ?? ''}\n`);
  }

  /** The next file of this process finds what this one found. */
  async teardown() {
    const { console, exit, env } = this.before;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    this.restoreJestState();
    disableAsyncStorages();
    await super.teardown();
  }
};
