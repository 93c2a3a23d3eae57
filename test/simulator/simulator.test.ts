import { describe, expect, it } from '@jest/globals';
import { run } from './run.ts';
import { commandOf } from './shrink.ts';
import { faultNames } from './world/faults.ts';

const SEEDS = 50;
const EMAILS = 8;
/** They say how a world is, and do not strike. */
const STATES = new Set(['order', 'clocks', 'poison']);

describe('arriving: every promise holds, whatever a seed breaks', () => {
  it(`in ${SEEDS} seeds, in which every fault strikes`, async () => {
    const struck = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { broken, strikes } = await run(seed, { emails: EMAILS });
      for (const name of Object.keys(strikes)) struck.add(name);
      expect({ command: commandOf(seed, { emails: EMAILS }), broken }).toEqual({
        command: expect.anything(),
        broken: {},
      });
    }
    expect([...struck].toSorted()).toEqual(faultNames.filter((name) => !STATES.has(name)).toSorted());
  }, 300_000);

  it('a seed has one story, byte for byte, and another seed has another', async () => {
    const [first, second, other] = [await run(7), await run(7), await run(8)];
    expect(second.trace).toEqual(first.trace);
    expect([second.hash === first.hash, other.hash === first.hash]).toEqual([true, false]);
  });

  it('timers of whoever else shares the process change no story', async () => {
    const first = await run(7, { only: ['order'] });
    const bystander = setInterval(() => void setTimeout(() => undefined, 1), 1);
    const second = await run(7, { only: ['order'] });
    clearInterval(bystander);
    expect(second.hash).toBe(first.hash);
  });
});
