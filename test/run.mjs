// The door of `npm test`: installs what is missing, says which engines the suite runs on, and hands over to jest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../deploy/local/ensure-installed.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const ENGINES = [
  ['MONGODB_URI', 'MongoDB', 'embedded server'],
  ['KAFKA_BROKERS', 'Kafka', 'in-process bus'],
  ['REDIS_URL', 'Redis', 'in-process counters'],
];

ensureInstalled();
const args = process.argv.slice(2);
const onEngines = args.includes('--engines');
const env = { ...process.env };
for (const [variable, name, embedded] of ENGINES) {
  // `npm test` is the same on every machine; only `npm run test:engines` looks at addresses.
  if (!onEngines) delete env[variable];
  console.log(`${name}: ${env[variable] ? `real, ${variable} is set` : embedded}`);
}
const jest = [`${root}node_modules/jest/bin/jest.js`, ...args.filter((arg) => arg !== '--engines')];
const result = spawnSync(process.execPath, jest, { cwd: root, stdio: 'inherit', env });
process.exit(result.status ?? 1);
