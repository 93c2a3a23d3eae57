import { expect, it } from '@jest/globals';
import { manualClock } from './clock.ts';
import { createRateLimit } from './rate-limit.ts';

it('lets so many calls a second go for each name, in the order of the calls', async () => {
  const clock = manualClock();
  const limit = createRateLimit(2, clock);
  const went: string[] = [];
  const { signal } = new AbortController();
  for (const name of ['a1', 'a2', 'a3', 'b1']) void limit(name[0] ?? '', signal).then(() => went.push(name));
  await clock.advance(0);
  expect(went).toEqual(['a1', 'b1']);
  await clock.advance(500);
  expect(went).toEqual(['a1', 'b1', 'a2']);
  await clock.advance(500);
  expect(went).toEqual(['a1', 'b1', 'a2', 'a3']);
});
