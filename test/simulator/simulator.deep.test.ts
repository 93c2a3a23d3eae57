import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { run, type WorkloadName } from './run.ts';
import { commandOf } from './shrink.ts';

const { POSTROOM_FULL, POSTROOM_SEED } = process.env;
/** New ones each time. */
const FROM = Number(POSTROOM_SEED ?? randomInt(2 ** 31));
const TWICE = POSTROOM_FULL ? 5 : 1;

describe.each<[WorkloadName, number]>([
  ['arriving', POSTROOM_FULL ? 1_200 : 20],
  ['calls', POSTROOM_FULL ? 1_200 : 20],
  ['feed', POSTROOM_FULL ? 1_200 : 20],
  ['ingest', POSTROOM_FULL ? 1_200 : 20],
  ['rules', POSTROOM_FULL ? 800 : 15],
  ['sending', POSTROOM_FULL ? 800 : 15],
  ['sync', POSTROOM_FULL ? 800 : 15],
  ['webhooks', POSTROOM_FULL ? 1_200 : 20],
])('%s', (workload, seeds) => {
  const hashes = new Map<number, string>();

  it('every promise holds in seeds that nobody has tried', async () => {
    const broken: unknown[] = [];
    for (let seed = FROM; seed < FROM + seeds; seed += 1) {
      const result = await run(seed, { workload });
      hashes.set(seed, result.hash);
      if (Object.keys(result.broken).length > 0)
        broken.push({ command: commandOf(seed, { workload }), ...result.broken });
    }
    expect(broken).toEqual([]);
    process.stdout.write(`${workload} PASS seeds=${seeds} from=${FROM}\n`);
  }, 3_600_000);

  it('the first of these seeds give the same story twice', async () => {
    for (let seed = FROM; seed < FROM + TWICE; seed += 1) {
      const { hash } = await run(seed, { workload });
      expect({ seed, hash }).toEqual({ seed, hash: hashes.get(seed) });
    }
  }, 3_600_000);
});
