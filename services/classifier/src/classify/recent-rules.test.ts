import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { recentRules } from './recent-rules.ts';
import type { Rule } from './rule-store.ts';

function world() {
  const clock = manualClock();
  let asked = 0;
  const rules: Rule[] = [];
  const list = async () => {
    asked += 1;
    return [...rules];
  };
  const rulesOf = recentRules({ list }, clock);
  const namesFor = async (at: Date) => (await rulesOf('wsp_1', at)).map(({ _id }) => _id);
  return { clock, namesFor, make: (_id: string) => rules.push({ _id } as Rule), asked: () => asked };
}

it('are asked for once by all that had come before', async () => {
  const { clock, namesFor, make, asked } = world();
  make('air_1');
  const cameAt = clock.date();
  await clock.advance(100);
  for (let n = 0; n < 20; n += 1) expect(await namesFor(cameAt)).toEqual(['air_1']);
  expect(asked()).toBe(1);
});

it('are asked for again by what came later: a rule may have come before it', async () => {
  const { clock, namesFor, make } = world();
  expect(await namesFor(clock.date())).toEqual([]);
  await clock.advance(10);
  make('air_1');
  await clock.advance(10);
  expect(await namesFor(clock.date())).toEqual(['air_1']);
});

it('are not those of long ago, whatever had come before', async () => {
  const { clock, namesFor, make } = world();
  const cameAt = clock.date();
  expect(await namesFor(cameAt)).toEqual([]);
  make('air_1');
  await clock.advance(3_000);
  expect(await namesFor(cameAt)).toEqual(['air_1']);
});
