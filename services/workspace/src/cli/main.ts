import { runCommandLine } from './run.ts';

const stopping = new AbortController();
process.on('SIGINT', () => {
  // A second Ctrl-C means now.
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort();
});

const { stdin, stdout, stderr } = process;
void runCommandLine(process.argv.slice(2), { stdin, stdout, stderr, signal: stopping.signal }).then((exitCode) => {
  process.exitCode = exitCode;
});
