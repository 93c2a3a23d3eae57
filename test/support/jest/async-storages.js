const { AsyncLocalStorage } = require('node:async_hooks');

/** On Node 20 every promise costs something for each AsyncLocalStorage that was ever entered and not disabled. */
const entered = new Set();
for (const name of ['run', 'enterWith']) {
  const enter = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function enterAndRemember(...args) {
    entered.add(this);
    return enter.apply(this, args);
  };
}

/** A storage that is used again is enabled again. */
exports.disableAsyncStorages = () => {
  for (const storage of entered) storage.disable();
  entered.clear();
};
