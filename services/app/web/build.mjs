// Builds the pages into dist/ where they are older than their sources. `npm start` and the browser tests run it too, so it is plain JavaScript.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const built = join(folder, 'dist/index.html');
/** The lock file stands for every package that the pages are made of. */
const SOURCES = [
  'src',
  'index.html',
  'vite.config.mts',
  'package.json',
  '../../../package-lock.json',
  '../../../libs/contract/src',
];

export function ensurePagesBuilt(say = console.error) {
  if (existsSync(built) && SOURCES.every((path) => newest(join(folder, path)) <= statSync(built).mtimeMs)) return;
  say('Building the pages of the app ...');
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  // Standard output is for the ready line of `npm start`.
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  console.error('The pages were not built: see above for the file, mend it and try again');
  process.exit(1);
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensurePagesBuilt();
