import { randomInt } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { run } from './run.ts';
import { commandOf } from './shrink.ts';

const { POSTROOM_FULL, POSTROOM_SEED } = process.env;
const SEEDS = POSTROOM_FULL ? 2_000 : 200;
/** New ones each time. */
const FROM = Number(POSTROOM_SEED ?? randomInt(2 ** 31));
const TWICE = 20;

it('arriving: every promise holds in seeds that nobody has tried', async () => {
  const broken: unknown[] = [];
  for (let seed = FROM; seed < FROM + SEEDS; seed += 1) {
    const result = await run(seed);
    if (Object.keys(result.broken).length > 0) broken.push({ command: commandOf(seed), ...result.broken });
  }
  expect(broken).toEqual([]);
  process.stdout.write(`arriving PASS seeds=${SEEDS} from=${FROM}\n`);
}, 3_600_000);

it('each of these seeds gives the same story twice', async () => {
  for (let seed = FROM; seed < FROM + TWICE; seed += 1) {
    const [first, second] = [await run(seed), await run(seed)];
    expect({ seed, hash: second.hash }).toEqual({ seed, hash: first.hash });
  }
}, 3_600_000);
