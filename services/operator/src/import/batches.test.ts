import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { batches } from './batches.ts';

async function* from<T>(items: T[]) {
  yield* items;
}

it('keeps the order, loses nothing, and stays within count and bytes unless one item alone is larger', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(sizes, async (drawn) => {
      const items = drawn.map((size, position) => ({ size, position }));
      const made = [];
      for await (const batch of batches(from(items), { count: 5, bytes: 20 })) made.push(batch);
      expect(made.flat()).toEqual(items);
      for (const batch of made) {
        expect(batch.length).toBeLessThanOrEqual(5);
        const bytes = batch.reduce((sum, { size }) => sum + size, 0);
        expect(bytes <= 20 || batch.length === 1).toBe(true);
      }
    }),
  );
});
