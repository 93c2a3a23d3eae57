import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createTurns } from './turns.ts';

it('so many a second have their turn for each name, in the order of asking', async () => {
  const clock = manualClock();
  const turns = createTurns(2, clock);
  const went: string[] = [];
  const { signal } = new AbortController();
  for (const name of ['a1', 'a2', 'a3', 'b1']) void turns(name[0] ?? '', signal).then(() => went.push(name));
  await clock.advance(0);
  expect(went).toEqual(['a1', 'b1']);
  await clock.advance(500);
  expect(went).toEqual(['a1', 'b1', 'a2']);
  await clock.advance(500);
  expect(went).toEqual(['a1', 'b1', 'a2', 'a3']);
});
