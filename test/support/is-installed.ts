import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../guards/sources.ts';

/** Asks as `npm start` and `npm test` do. Jest cannot import an ECMAScript module, so another process asks. */
export function isInstalled(folder = `${ROOT}/`): boolean {
  const module = JSON.stringify(pathToFileURL(join(ROOT, 'deploy/local/ensure-installed.mjs')).href);
  const ask = `import(${module}).then(({ isInstalled }) => console.log(isInstalled(${JSON.stringify(folder)})))`;
  return execFileSync(process.execPath, ['-e', ask], { encoding: 'utf8' }) === 'true\n';
}
