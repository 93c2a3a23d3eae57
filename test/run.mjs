// Starts the tests: installs what is missing, says which engines they run on, chooses the files of a tier, and starts jest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../deploy/local/ensure-installed.mjs';
import { describeEngine, ENGINES } from './support/engine-versions.mjs';
import { TIERS } from './tiers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

ensureInstalled();
const options = process.argv.slice(2);
const tier = options.find((option) => option.startsWith('--tier='))?.slice('--tier='.length) ?? 'quick';
const args = options.filter((option) => !option.startsWith('--tier='));
const isPathGiven = args.some((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-t');
// A file that is named runs, to whichever tier it belongs.
const files = isPathGiven ? [] : TIERS[tier];
const onEngines = ['engines', 'outages'].includes(tier);
const scratch = mkdtempSync(join(tmpdir(), 'postroom-tests-'));
const skipped = join(scratch, 'skipped');
writeFileSync(skipped, '');
const env = { ...process.env, POSTROOM_SKIPPED_LIST: skipped };
for (const engine of ENGINES) {
  // `npm test` is the same on every machine; only `npm run test:engines` reads addresses.
  if (!onEngines) delete env[engine.variable];
  console.log(await describeEngine(engine, env[engine.variable]));
}

const status = run([...args, ...files]);
// Each reason once, however many files gave it.
for (const reason of new Set(readFileSync(skipped, 'utf8').split('\n').filter(Boolean)))
  console.log(`Skipped: ${reason}`);
rmSync(scratch, { recursive: true, force: true });
process.exit(status);

function run(jestArgs) {
  // Tests make much that lives for a moment. In 32 MB, twice Node's own choice, it is collected for a tenth less of the processor.
  const jest = ['--max-semi-space-size=32', join(root, 'node_modules/jest/bin/jest.js'), ...jestArgs];
  return spawnSync(process.execPath, jest, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}
