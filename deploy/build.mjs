// Compiles all packages as one program, which reads each type once, and gives each its part as `dist`. The client is published, so it
// is compiled by itself, without the types of Node, and with its declarations.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensurePagesBuilt } from '../services/app/web/build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'node_modules/.cache/built');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

rmSync(built, { recursive: true, force: true });
compile('tsconfig.build.json');
for (const home of homes()) {
  rmSync(join(root, home, 'dist'), { recursive: true, force: true });
  renameSync(join(built, home, 'src'), join(root, home, 'dist'));
}
compile('libs/client/tsconfig.build.json');
ensurePagesBuilt();

function compile(project) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, project)], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function homes() {
  const packages = ['libs', 'services'].flatMap((area) =>
    readdirSync(join(built, area)).map((name) => join(area, name)),
  );
  return [...packages, 'deploy/local'].filter((home) => existsSync(join(built, home, 'src')));
}
