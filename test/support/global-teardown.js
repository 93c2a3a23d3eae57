const { endWithin } = require('./end-within.js');

/** Longer than jest needs for its reports. */
const LIMIT_MS = 15_000;

module.exports = async function globalTeardown() {
  await globalThis.stopTestEngines?.();
  endWithin(LIMIT_MS);
};
