/**
 * Ends a process that something keeps alive: a test that left a server or a connection open would let jest run for ever.
 * The timer itself keeps no process alive.
 */
exports.endWithin = (limitMs) => {
  const end = () => {
    const kinds = [...new Set(process.getActiveResourcesInfo())].join(', ');
    process.stderr.write(`jest: ended, because a test left something open that keeps the process alive: ${kinds}\n`);
    process.exit(1);
  };
  setTimeout(end, limitMs).unref();
};
