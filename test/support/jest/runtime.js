const Module = require('node:module');
const { join } = require('node:path');
const { default: JestRuntime } = require('jest-runtime');
const { OneAtATime } = require('./one-at-a-time.js');

const TESTS = join(__dirname, '../..');
const isOfJest = (name) => /^(@jest\/|jest|expect$)/.test(name);
const isOfRepository = (name) => /^(\.|\/|@postroom\/)/.test(name);
/** Every file of API tests needs it, no test changes it, and it compiles the schemas of all answers. */
const DESCRIPTION = join(TESTS, 'support/described.ts');
/** Tests and their support belong to one test file. libs/events patches kafkajs, and its tests need both without the patch. */
const isLoadedAnew = (path) =>
  (path.startsWith(`${TESTS}/`) && path !== DESCRIPTION) ||
  /\.test(-support)?\.ts$|\/libs\/events\/src\/kafka|\/node_modules\/kafkajs\//.test(path);

/** The runtime of the test file that is running. It finds and transforms the files of the repository. */
let current;
const sourceMaps = new Map();

Module._extensions['.ts'] = (module, path) => {
  module._compile(current.transformCache.transform(path), path);
  sourceMaps.set(path, current.getSourceMaps().get(path));
};
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (name, parent, ...rest) =>
  name.startsWith('@postroom/')
    ? current._resolution.resolveCjs(parent.filename, name)
    : resolveFilename(name, parent, ...rest);

/**
 * Jest loads everything anew for each test file; mongoose, gRPC, OpenTelemetry and the services themselves take longer than
 * most files do. Here Node loads packages and the product once for each process, as the product runs, and Jest the tests alone.
 */
exports.default = class ProductOnce extends JestRuntime {
  constructor(...args) {
    super(...args);
    current = this;
    for (const [path, map] of sourceMaps) this.getSourceMaps().set(path, map);
  }

  requireInternalModule(from, name) {
    const isOfTests = name === 'node:async_hooks' && from.includes('/jest-circus/');
    return isOfTests ? { AsyncLocalStorage: OneAtATime } : super.requireInternalModule(from, name);
  }

  requireModuleOrMock(from, name) {
    if (Module.isBuiltin(name) || isOfJest(name)) return super.requireModuleOrMock(from, name);
    // `jest.isolateModules` loads what a test wants to see while it is loaded.
    if (isOfRepository(name) && this.registries.isIsolated()) return super.requireModuleOrMock(from, name);
    const require = Module.createRequire(from);
    const path = isOfRepository(name) ? this._resolution.resolveCjs(from, name) : require.resolve(name);
    return isLoadedAnew(path) ? super.requireModuleOrMock(from, name) : require(path);
  }
};
exports.__esModule = true;
