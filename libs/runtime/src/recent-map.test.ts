import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRecentIds } from './recent-ids.ts';
import { createRecentMap } from './recent-map.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e'];

it('holds what was set last and not deleted since, up to its number', () => {
  const step = fc.tuple(fc.constantFrom(...KEYS), fc.option(fc.nat(), { nil: undefined }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 30 }), (most, steps) => {
      const map = createRecentMap<number>(most);
      let model: [string, number][] = [];
      for (const [key, value] of steps) {
        const others = model.filter(([other]) => other !== key);
        if (value === undefined) map.delete(key);
        else map.set(key, value);
        model = value === undefined ? others : [...others, [key, value] as [string, number]].slice(-most);
        const held = KEYS.filter((one) => map.has(one)).map((one) => [one, map.get(one)]);
        expect(held).toEqual(model.toSorted(([one], [other]) => (one < other ? -1 : 1)));
      }
    }),
  );
});

it('an id that is added again is the newest', () => {
  const ids = createRecentIds(2);
  for (const id of ['a', 'b', 'a', 'c']) ids.add(id);
  expect(['a', 'b', 'c'].filter(ids.has)).toEqual(['a', 'c']);
});
