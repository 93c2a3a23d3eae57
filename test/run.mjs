// The door of `npm test`: installs what is missing, says which engines the suite runs on, and hands over to jest.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../deploy/local/ensure-installed.mjs';
import { describeEngine, ENGINES } from './support/engine-versions.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Takes the engines away from under whoever uses them, and so runs when nobody else does. */
const ALONE = 'test/faults/engines';

ensureInstalled();
const args = process.argv.slice(2).filter((arg) => arg !== '--engines');
const onEngines = process.argv.includes('--engines');
const scratch = mkdtempSync(join(tmpdir(), 'postroom-tests-'));
const skipped = join(scratch, 'skipped');
writeFileSync(skipped, '');
const env = { ...process.env, POSTROOM_SKIPPED_LIST: skipped };
for (const engine of ENGINES) {
  // `npm test` is the same on every machine; only `npm run test:engines` looks at addresses.
  if (!onEngines) delete env[engine.variable];
  console.log(await describeEngine(engine, env[engine.variable]));
}

const hasFaults = existsSync(join(root, `${ALONE}.test.ts`));
const status = onEngines && env.ENGINES_CONTROL && hasFaults ? runInTwo() : run(args);
// Each reason once, however many files gave it.
for (const reason of new Set(readFileSync(skipped, 'utf8').split('\n').filter(Boolean)))
  console.log(`Skipped: ${reason}`);
rmSync(scratch, { recursive: true, force: true });
process.exit(status);

function run(jestArgs) {
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), ...jestArgs];
  return spawnSync(process.execPath, jest, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}

/** First everything that shares the engines, then what stops them. Files that were asked for by name run as asked. */
function runInTwo() {
  if (args.some((arg) => !arg.startsWith('-'))) return run(args);
  const first = run([...args, '--testPathIgnorePatterns=/node_modules/', '/dist/', ALONE]);
  const output = args.find((arg) => arg.startsWith('--outputFile='))?.slice('--outputFile='.length);
  const own = join(scratch, 'alone.json');
  const others = args.filter((arg) => !arg.startsWith('--outputFile='));
  const second = run([...others, ...(output ? [`--outputFile=${own}`] : []), '--runInBand', ALONE]);
  if (output) addResults(output, own);
  return Math.max(first, second);
}

/** One report of both, in the form of jest's own. */
function addResults(file, added) {
  const [all, more] = [file, added].map((path) => JSON.parse(readFileSync(path, 'utf8')));
  for (const [key, value] of Object.entries(more)) if (key.startsWith('num')) all[key] += value;
  all.testResults.push(...more.testResults);
  all.success &&= more.success;
  writeFileSync(file, JSON.stringify(all));
}
