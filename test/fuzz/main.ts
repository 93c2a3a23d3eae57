import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startEmbeddedProcess } from '../engines/support/embedded-process.ts';
import { fuzz, LONGEST_PAUSE_MS } from './fuzz.ts';

const USAGE = `npm run fuzz -- [options]

  --requests N    how many in all (default: 200000)
  --seed N        where to begin (default: by chance); each round of 10000 has the next`;
const BATCH = 10_000;

void main();

/** Round after round until something is found, or everything was asked. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '200000' },
      seed: { type: 'string', default: String(randomInt(1e9)) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const database = await startEmbeddedProcess(undefined);
  process.env.POSTROOM_TEST_MONGODB_URI = database.uri;
  let [asked, seed] = [0, Number(values.seed)];
  while (asked < Number(values.requests)) {
    const requests = Math.min(BATCH, Number(values.requests) - asked);
    const { failure, pauses, ...figures } = await fuzz({ seed: seed++, requests, shrinkMs: 300_000 });
    asked += figures.requests;
    console.log(JSON.stringify({ ...figures, pauses: pauses.length, asked }));
    for (const { ms, during } of pauses) console.log(`over ${LONGEST_PAUSE_MS} ms at one piece: ${ms} ms at ${during}`);
    if (failure !== undefined) console.log(failure);
    if (failure !== undefined || pauses.length > 0) process.exitCode = 1;
    if (failure !== undefined) break;
  }
  await database.kill();
}
