// Compiles all packages as one program, which reads each type once, and gives each its part as `dist`. The client is published, so it
// is compiled by itself, without the types of Node, and with its declarations.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensurePagesBuilt } from '../services/app/web/build.mjs';
import { ensureInstalled } from './local/ensure-installed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

ensureInstalled();
const built = folderOfItsOwn();
compile('tsconfig.build.json', built);
for (const home of homes()) replace(join(root, home, 'dist'), join(built, home, 'src'));
const client = join(built, 'client');
compile('libs/client/tsconfig.build.json', client);
replace(join(root, 'libs/client/dist'), client);
ensurePagesBuilt();

/** Another build at the same time must not take half of what this one writes. */
function folderOfItsOwn() {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'built-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function compile(project, to) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const args = [tsc, '-p', join(root, project), '--outDir', to];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The old folder goes with its files whose source is no more. */
function replace(dist, made) {
  rmSync(dist, { recursive: true, force: true });
  renameSync(made, dist);
}

function homes() {
  const packages = ['libs', 'services'].flatMap((area) =>
    readdirSync(join(built, area)).map((name) => join(area, name)),
  );
  return [...packages, 'deploy/local'].filter((home) => existsSync(join(built, home, 'src')));
}
