import { runCommandLine } from './run.ts';

const INTERRUPTED = 130;
// The terminal and npm both send Ctrl-C, so one key press arrives twice.
const SAME_PRESS_MS = 500;

const stopping = new AbortController();
let firstAt = 0;
process.on('SIGINT', () => {
  if (!stopping.signal.aborted) {
    firstAt = performance.now();
    stopping.abort();
  } else if (performance.now() - firstAt > SAME_PRESS_MS) {
    process.exit(INTERRUPTED);
  }
});

const { stdin, stdout, stderr } = process;
void runCommandLine(process.argv.slice(2), { stdin, stdout, stderr, signal: stopping.signal }).then((exitCode) => {
  process.exitCode = exitCode;
});
