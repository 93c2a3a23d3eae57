import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { minute, putEmails, queryOf } from '../support/emails.ts';
import { useStack } from '../support/use-stack.ts';
import { disturbing, listings, setScene, walk } from './page-walk.ts';

const stack = useStack();
const RUNS = process.env['POSTROOM_FULL'] ? 50 : 3;

describe('a walk through all pages while mail arrives, leaves and changes', () => {
  it.each(Object.entries(listings))(
    'loses and repeats nothing: %s',
    async (_name, listing) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
          fc.array(fc.tuple(fc.nat(4), fc.nat(1_000)), { minLength: 1, maxLength: 8 }),
          async (limits, disturbances) => {
            const scene = await setScene(stack, listing);
            const seen = await walk(scene, limits, disturbing(scene, disturbances));
            expect(new Set(seen).size).toBe(seen.length);
            expect(scene.unchanged.filter((id) => !seen.includes(id))).toEqual([]);
          },
        ),
        { numRuns: RUNS },
      );
    },
    60_000,
  );
});

describe('a walk through what few emails have and no index tells apart', () => {
  const contains = (field: string, value: string) => ({ id: 'c', label: field, type: 'contains', value });
  const sparse = {
    'a piece of a subject': `/emails?${queryOf({ filters: contains('subject', 'eld') })}&`,
    'one of two': `/emails?${queryOf({ filters: { id: 'g', _or: [contains('subject', 'eld'), contains('cc', 'x')] } })}&`,
    'two words': '/emails?search=seldom every&',
    'two words by relevance': '/emails/search?q=seldom every&',
  };

  it.each(Object.entries(sparse))('finds each once, in order, whatever the limit: %s', async (_name, path) => {
    const workspace = await stack.workspace();
    const isRare = (n: number) => n % 11 === 5;
    const emails = Array.from({ length: 400 }, (_, n) => ({
      date: minute(n % 3),
      subject: isRare(n) ? 'seldom every' : n % 2 === 0 ? 'every' : 'other mail',
    }));
    const stored = await putEmails(stack, workspace.id, emails);
    const order = (one: { date: Date; _id: string }, other: { date: Date; _id: string }) =>
      other.date.getTime() - one.date.getTime() || (one._id < other._id ? 1 : -1);
    const rare = stored.filter((_, n) => isRare(n)).toSorted(order);
    const expected = rare.map(({ _id }) => _id);
    for (const limit of [1, 2, 5, 200]) {
      expect(await walk({ workspace, path }, [limit])).toEqual(expected);
    }
  });
});
