/** Jest keeps of a file in the realm: its limit, its event handlers, its tests with all that they hold, and how often they are repeated. */
const OF_A_FILE = /^(TEST_TIMEOUT_SYMBOL|EVENT_HANDLERS|JEST_STATE_SYMBOL|\w*RETRY\w*)$/;
const MATCHERS = Symbol.for('$$jest-matchers-object');

/** Returns the function that restores what Jest keeps now. */
exports.rememberJestState = () => {
  const symbols = new Map(symbolsOfFile().map((symbol) => [symbol, globalThis[symbol]]));
  const names = Object.keys(matching().matchers);
  const testers = matching().customEqualityTesters.length;
  return () => {
    for (const symbol of symbolsOfFile()) if (!symbols.has(symbol)) delete globalThis[symbol];
    for (const [symbol, value] of symbols) globalThis[symbol] = value;
    const { matchers, customEqualityTesters } = matching();
    for (const name of Object.keys(matchers)) if (!names.includes(name)) delete matchers[name];
    customEqualityTesters.length = testers;
  };
};

function symbolsOfFile() {
  return Object.getOwnPropertySymbols(globalThis).filter(({ description }) => OF_A_FILE.test(description));
}

/** One object for all files, to which each adds Jest's own matchers. The first file has none yet. */
function matching() {
  return globalThis[MATCHERS] ?? { matchers: {}, customEqualityTesters: [] };
}
