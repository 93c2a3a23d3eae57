import { resolve } from 'node:path';
import { readLocalConfig, USAGE, type LocalConfig } from './config.ts';
import { StartOptionError } from './start-option-error.ts';
import { startLocal } from './local.ts';

const SAME_KEY_PRESS_MS = 500;

void main();

async function main(): Promise<void> {
  // Only the owner can read the files of this process and its database.
  process.umask(0o077);
  let config: LocalConfig;
  try {
    config = readLocalConfig(process.argv.slice(2));
  } catch (error) {
    return fail(error, 2);
  }
  if (config.help) return void process.stdout.write(`${USAGE}\n`);

  // With --json standard output holds the one line alone.
  const say = (line: string) => void (config.json ? process.stderr : process.stdout).write(`${line}\n`);
  try {
    const local = await startLocal({ ...config, directory: resolve(config.directory) }, say);
    // A reader of the ready line may stop the process in the same moment.
    closeOnSignal(() => local.close(), say);
    process.stdout.write(config.json ? `${JSON.stringify(local.ready)}\n` : local.greeting);
  } catch (error) {
    fail(error, 1);
  }
}

function closeOnSignal(close: () => Promise<void>, say: (line: string) => void): void {
  let stoppingSince = 0;
  const stop = () => {
    // A second Ctrl-C stops at once. npm may send the first one twice.
    if (stoppingSince > 0 && Date.now() - stoppingSince > SAME_KEY_PRESS_MS) process.exit(130);
    if (stoppingSince > 0) return;
    stoppingSince = Date.now();
    say('Stopping ...');
    close().then(
      () => process.exit(0),
      (error: unknown) => fail(error, 1),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function fail(error: unknown, code: number): void {
  const isExpected = error instanceof StartOptionError;
  process.stderr.write(`${isExpected ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(code);
}
