// Makes a fresh clone runnable: checks Node, installs what the lock file names, and generates code.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const OLDEST = [20, 19];
const GENERATED = ['libs/proto/src/postroom', 'libs/client/src/operations.ts'];

export function ensureInstalled(say = console.error) {
  requireNode();
  if (!isInstalled()) {
    say('Installing dependencies (npm ci); the first time this takes about half a minute ...');
    npm(
      ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
      'npm ci failed: check the network and run it by hand to see why',
    );
  }
  if (!GENERATED.every((path) => existsSync(root + path))) {
    say('Generating code (npm run generate) ...');
    npm(['run', '--silent', 'generate'], 'npm run generate failed: run it by hand to see why');
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  console.error(
    `Postroom needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  );
  process.exit(1);
}

/** npm writes its own lock into node_modules last, so an interrupted or outdated install is noticed. */
function isInstalled() {
  const installed = `${root}node_modules/.package-lock.json`;
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs;
}

function npm(args, failure) {
  const script = process.env.npm_execpath;
  // Standard output is for the ready line, so the output of npm goes to standard error.
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const result = script?.endsWith('.js')
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.status === 0) return;
  console.error(failure);
  process.exit(1);
}
