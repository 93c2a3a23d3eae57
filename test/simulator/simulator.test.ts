import { describe, expect, it } from '@jest/globals';
import { run, type WorkloadName } from './run.ts';
import { commandOf } from './shrink.ts';

const EMAILS = 4;

describe.each<[WorkloadName, number]>([
  ['arriving', 8],
  ['calls', 8],
  ['feed', 8],
  ['ingest', 8],
  ['rules', 8],
  ['sending', 8],
  ['sync', 8],
  ['webhooks', 8],
])('%s: every promise holds, whatever a seed breaks', (workload, seeds) => {
  const options = { workload, emails: EMAILS };
  const firstRuns = new Map<number, ReturnType<typeof run>>();
  const firstRun = (seed: number) => {
    const result = firstRuns.get(seed) ?? run(seed, options);
    firstRuns.set(seed, result);
    return result;
  };

  it(`in ${seeds} seeds`, async () => {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { broken } = await firstRun(seed);
      expect({ command: commandOf(seed, options), broken }).toEqual({ command: commandOf(seed, options), broken: {} });
    }
  }, 300_000);

  it('a seed has one story, byte for byte, and another seed has another', async () => {
    const [first, second, other] = [await firstRun(7), await run(7, options), await firstRun(8)];
    expect(second.trace).toEqual(first.trace);
    expect([second.hash === first.hash, other.hash === first.hash]).toEqual([true, false]);
  });
});

it('timers of whoever else shares the process change no story', async () => {
  const first = await run(7, { only: ['order'], emails: EMAILS });
  const bystander = setInterval(() => void setTimeout(() => undefined, 1), 1);
  const second = await run(7, { only: ['order'], emails: EMAILS });
  clearInterval(bystander);
  expect(second.hash).toBe(first.hash);
});
