// Writes libs/proto/src from the .proto files; runs at install, so that the generated code is never committed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const path = `${root}node_modules/.bin${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`;
const result = spawnSync('buf', ['generate'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
  shell: process.platform === 'win32',
});
if (result.error) console.error(`proto: buf did not start (${result.error.message}); run npm install again`);
process.exit(result.status ?? 1);
