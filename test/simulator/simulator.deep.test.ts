import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { run, type WorkloadName } from './run.ts';
import { commandOf } from './shrink.ts';

const { POSTROOM_FULL, POSTROOM_SEED, POSTROOM_SEEDS } = process.env;
/** New ones each time. */
const FROM = Number(POSTROOM_SEED ?? randomInt(2 ** 31));
const TWICE = POSTROOM_FULL ? 5 : 1;

/** Of all workloads together. CI tries fewer at a time, and new ones each time. */
const SEEDS = Number(POSTROOM_SEEDS ?? (POSTROOM_FULL ? 10_000 : 2_000));

/** A seed of one workload takes longer than one of another. */
describe.each<[WorkloadName, number]>([
  ['arriving', 0.1],
  ['calls', 0.2],
  ['feed', 0.15],
  ['ingest', 0.2],
  ['rules', 0.08],
  ['sending', 0.07],
  ['sync', 0.1],
  ['webhooks', 0.1],
])('%s', (workload, share) => {
  const seeds = Math.max(1, Math.round(SEEDS * share));
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
