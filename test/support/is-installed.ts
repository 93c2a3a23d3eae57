import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../guards/sources.ts';

/** Asks as `npm start` and `npm test` do. Jest cannot import an ECMAScript module, so another process asks. */
function ask(question: 'isInstalled' | 'isGenerated', folder: string): boolean {
  const module = JSON.stringify(pathToFileURL(join(ROOT, 'deploy/local/ensure-installed.mjs')).href);
  const asked = `import(${module}).then(({ ${question} }) => console.log(${question}(${JSON.stringify(folder)})))`;
  return execFileSync(process.execPath, ['-e', asked], { encoding: 'utf8' }) === 'true\n';
}

export const isInstalled = (folder = `${ROOT}/`): boolean => ask('isInstalled', folder);
export const isGenerated = (folder: string): boolean => ask('isGenerated', folder);
