const { createRequire, isBuiltin } = require('node:module');
const { default: JestRuntime } = require('jest-runtime');

const isOfJest = (name) => /^(@jest\/|jest|expect$)/.test(name);
/** libs/events patches its prototypes, and tests of that need it without the patch. */
const isPatched = (name) => /^kafkajs(\/|$)/.test(name);
const isOfRepository = (name) => /^(\.|\/|@postroom\/)/.test(name);

/**
 * Jest loads every package anew for each test file; mongoose, gRPC and OpenTelemetry take longer than most files do.
 * Here Node loads a package once for each process. Files of the repository are still loaded anew for each test file.
 */
exports.default = class PackagesOnce extends JestRuntime {
  requireModuleOrMock(from, name) {
    const isLoadedAnew = isBuiltin(name) || isOfJest(name) || isOfRepository(name) || isPatched(name);
    if (isLoadedAnew) return super.requireModuleOrMock(from, name);
    return createRequire(from)(name);
  }
};
exports.__esModule = true;
