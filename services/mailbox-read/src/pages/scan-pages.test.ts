import { expect, it } from '@jest/globals';
import type { Query } from '@postroom/mail-store/filter-tree/query';
import type { RawListItem } from '@postroom/mail-store/raw/raw-list-item';
import type { Call } from '@postroom/rpc/call';
import fc from 'fast-check';
import { freshEffort, scanPages } from './scan-pages.ts';
import type { PageStore, PositionRange } from './page-store.ts';

interface Mail {
  id: string;
  date: number;
  words: string[];
  senderDomain: string;
  isShown: boolean;
}
type After = PositionRange['after'];

const call = { workspaceId: 'wsp_1' } as Call;
/** No index answers it, and what it finds is told by the mail itself. */
const searched: Query = { $and: [{ words: 'a' }, { words: { $in: ['b', 'c'] } }, { $expr: 'shown' }] };
const either: Query = { $or: [{ senderDomain: { $in: ['x'] } }, { words: 'a' }], $expr: 'shown' };

const has = (mail: Mail, query: Query): boolean =>
  Object.entries(query).every(([key, asked]) => {
    if (key === '$and') return (asked as Query[]).every((part) => has(mail, part));
    if (key === '$or') return (asked as Query[]).some((part) => has(mail, part));
    if (key === '$expr') return mail.isShown;
    const wanted = typeof asked === 'string' ? [asked] : (asked as { $in: string[] }).$in;
    const carried = [mail[key as 'words' | 'senderDomain']].flat();
    return wanted.some((value) => carried.includes(value));
  });
const order = (one: { date: number; id: string }, other: { date: number; id: string }) =>
  other.date - one.date || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
const at = (after: NonNullable<After>) => ({ date: after.date.getTime(), id: after.id });

/** The store over a list, and how many emails it was let look at. */
function storeOf(mails: Mail[]) {
  const sorted = mails.toSorted(order);
  const within = (query: Query, { after, until = null }: PositionRange) =>
    sorted.filter(
      (mail) => (!after || order(mail, at(after)) > 0) && (!until || order(mail, at(until)) <= 0) && has(mail, query),
    );
  const pages = {
    newest: (_workspaceId: string, query: Query, range: PositionRange, count: number) =>
      Promise.resolve(within(query, range).slice(0, count) as unknown as RawListItem[]),
    positionAfter: (_workspaceId: string, query: Query, after: After, count: number) => {
      const mail = within(query, { after })[count - 1];
      return Promise.resolve(mail ? { date: new Date(mail.date), id: mail.id } : null);
    },
  } as unknown as PageStore;
  return { pages, all: (query: Query) => within(query, { after: null }) };
}

const mails = fc
  .array(
    fc.record({
      date: fc.nat(9),
      words: fc.subarray(['a', 'b', 'c', 'd']),
      senderDomain: fc.constantFrom('x', 'y'),
      isShown: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map((mail, n) => ({ ...mail, id: `eml_${String((n * 37) % 61).padStart(2, '0')}` })));

it.each([
  ['words that must all be there', searched],
  ['one thing or another', either],
])('whatever is looked through a little at a time is found once, in order: %s', async (_name, query) => {
  await fc.assert(
    fc.asyncProperty(
      mails,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 20 }),
      async (list, count, most) => {
        const { pages, all } = storeOf(list);
        const found: RawListItem[] = [];
        let after: After = null;
        for (let calls = 0; ; calls++) {
          expect(calls).toBeLessThan(200);
          const effort = { emails: most };
          const { items, stoppedAt } = await scanPages(query, after, count, effort, pages, call);
          expect(effort.emails).toBeGreaterThanOrEqual(0);
          found.push(...items);
          const last = items.at(-1);
          if (stoppedAt) after = stoppedAt.after;
          else if (items.length === count && last) after = { date: new Date(last.date), id: last.id };
          else break;
        }
        expect(found).toEqual(all(query));
      },
    ),
  );
});

it('two words that never meet are looked for in a thousand emails of one of them, and the page says where it stopped', async () => {
  const list = Array.from({ length: 6_000 }, (_, n) => {
    const id = `eml_${String(n).padStart(4, '0')}`;
    return { id, date: n, words: [n % 2 === 0 ? 'a' : 'b'], senderDomain: 'x', isShown: true };
  });
  const never: Query = { $and: [{ words: 'a' }, { words: 'b' }] };
  const { items, stoppedAt } = await scanPages(never, null, 25, freshEffort(), storeOf(list).pages, call);
  const stopped = stoppedAt?.after?.date.getTime() ?? 0;
  expect(items).toEqual([]);
  expect(list.filter(({ date, words }) => date >= stopped && words[0] === 'a').length).toBeLessThanOrEqual(1_000);
});
