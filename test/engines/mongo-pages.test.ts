import { beforeAll, expect, it } from '@jest/globals';
import type { mongo } from 'mongoose';
import { describeMongo, errorOf } from './support/mongo.ts';

interface Mail {
  _id: string;
  workspaceId: string;
  folder: string;
  date: Date;
  isRead: boolean;
  tokens: string[];
}

const COUNT = 2000;
const idOf = (i: number): string => `eml_${String(i).padStart(6, '0')}`;
/** Four emails share each date, so that the tie-break has work to do. */
const mails: Mail[] = Array.from({ length: COUNT }, (_, i) => ({
  _id: idOf((i * 7919) % COUNT),
  workspaceId: i % 10 === 0 ? 'other' : 'w',
  folder: ['inbox', 'archive', 'sent'][i % 3] as string,
  date: new Date(1_700_000_000_000 + Math.floor(i / 4) * 60_000),
  isRead: i % 5 !== 0,
  tokens: ['every', `word${i % 20}`, ...(i % 500 === 1 ? ['rare'] : [])],
}));

const newest = { date: -1, _id: -1 } as const;
const byNewest = (a: Mail, b: Mail): number => b.date.getTime() - a.date.getTime() || (a._id < b._id ? 1 : -1);
const behind = ({ date, _id }: Mail): mongo.Filter<Mail> => ({
  $or: [{ date: { $lt: date } }, { date, _id: { $lt: _id } }],
});

describeMongo('pages', ({ collection, when }) => {
  let items: mongo.Collection<Mail>;
  beforeAll(async () => {
    items = collection<Mail>();
    await items.createIndex({ workspaceId: 1, date: -1, _id: -1 }, { name: 'by_date' });
    await items.createIndex({ workspaceId: 1, folder: 1, date: -1, _id: -1 }, { name: 'by_folder' });
    await items.createIndex({ workspaceId: 1, tokens: 1, date: -1, _id: -1 }, { name: 'by_token' });
    await items.insertMany(mails);
  });

  const statsOf = async (filter: mongo.Filter<Mail>, sort: mongo.Sort = newest, limit = 50) => {
    const plan = await items.find(filter).sort(sort).limit(limit).explain('executionStats');
    return { ...plan['executionStats'], plan: JSON.stringify(plan['queryPlanner']['winningPlan']) };
  };

  it('goes through everything once, page by page, in order', async () => {
    const expected = mails
      .filter(({ workspaceId }) => workspaceId === 'w')
      .toSorted(byNewest)
      .map(({ _id }) => _id);
    const seen: string[] = [];
    for (let last: Mail | undefined; ;) {
      const filter: mongo.Filter<Mail> = { workspaceId: 'w', ...(last ? behind(last) : {}) };
      const page = await items.find(filter).sort(newest).limit(99).toArray();
      seen.push(...page.map(({ _id }) => _id));
      last = page.at(-1);
      if (page.length < 99) break;
    }
    expect(seen).toEqual(expected);
  });

  it('goes through a word oldest first', async () => {
    const found = await items.find({ workspaceId: 'w', tokens: 'word3' }).sort({ date: 1, _id: 1 }).toArray();
    const expected = mails
      .filter((mail) => mail.workspaceId === 'w' && mail.tokens.includes('word3'))
      .toSorted(byNewest)
      .toReversed();
    expect(found.map(({ _id }) => _id)).toEqual(expected.map(({ _id }) => _id));
  });

  it('hands out a cursor in batches, and forgets it when it is closed', async () => {
    const cursor = items.find({ workspaceId: 'w' }).batchSize(10);
    for (let i = 0; i < 25; i += 1) expect(await cursor.next()).not.toBeNull();
    await cursor.close();
    expect(await items.find({ workspaceId: 'w' }).batchSize(7).limit(20).toArray()).toHaveLength(20);
    expect(await items.find().batchSize(500).toArray()).toHaveLength(COUNT);
  });

  // A server that makes the whole result at once is right too, but shows what has been deleted since.
  when('explain')('keeps a cursor right while documents come and go', async () => {
    const own = collection<{ _id: number; n: number }>();
    await own.createIndex({ n: 1 }, { name: 'by_n' });
    await own.insertMany(Array.from({ length: 100 }, (_, _id) => ({ _id, n: _id })));
    const cursor = own
      .find({ n: { $gte: 0 } })
      .sort({ n: 1 })
      .batchSize(10);
    const seen: number[] = [];
    for (let i = 0; i < 10; i += 1) seen.push((await cursor.next())?.n as number);
    await own.deleteMany({ n: { $gte: 5, $lt: 20 } });
    await own.insertOne({ _id: 1000, n: 3 });
    for (let next = await cursor.next(); next; next = await cursor.next()) seen.push(next.n);
    expect(seen).toEqual([...Array.from({ length: 10 }, (_, n) => n), ...Array.from({ length: 80 }, (_, n) => n + 20)]);
  });

  when('explain')('reads a page deep in a listing for the price of the first', async () => {
    const sorted = mails.filter(({ workspaceId }) => workspaceId === 'w').toSorted(byNewest);
    const filter = { workspaceId: 'w', ...behind(sorted[1500] as Mail) };
    const stats = await statsOf(filter);
    expect(stats.totalDocsExamined).toBeLessThanOrEqual(51);
    expect(stats.plan).toContain('by_date');
    expect((await items.find(filter).sort(newest).limit(1).next())?._id).toBe(sorted[1501]?._id);
  });

  when('explain')('reads a page of a word for the price of a page', async () => {
    const stats = await statsOf({ workspaceId: 'w', tokens: 'every' });
    expect(stats).toMatchObject({ nReturned: 50 });
    expect(stats.totalDocsExamined).toBeLessThanOrEqual(51);
    expect(stats.plan).toContain('by_token');
  });

  when('explain')('merges several folders without sorting', async () => {
    const filter = { workspaceId: 'w', folder: { $in: ['inbox', 'sent'] } };
    const stats = await statsOf(filter);
    expect(stats.totalDocsExamined).toBeLessThanOrEqual(52);
    const expected = mails
      .filter((mail) => mail.workspaceId === 'w' && mail.folder !== 'archive')
      .toSorted(byNewest)
      .slice(0, 50);
    expect((await items.find(filter).sort(newest).limit(50).toArray()).map(({ _id }) => _id)).toEqual(
      expected.map(({ _id }) => _id),
    );
  });

  when('explain')('names the stages of a plan', async () => {
    expect((await statsOf({ workspaceId: 'w' })).plan).toContain('IXSCAN');
    expect((await statsOf({ isRead: true }, {})).plan).toContain('COLLSCAN');
  });

  it('uses the index it is told to, and refuses one that is not there', async () => {
    expect(await items.find({ workspaceId: 'w' }).hint('by_folder').toArray()).toHaveLength(COUNT * 0.9);
  });

  when('strict')('400 for a hint at an index that does not exist', async () => {
    expect((await errorOf(items.find({}).hint('nowhere').toArray())).code).toBe(2);
  });

  it('counts', async () => {
    expect(await items.countDocuments({ workspaceId: 'w', folder: 'inbox' })).toBe(600);
    expect(await items.countDocuments({ workspaceId: 'w' }, { skip: 10, limit: 50 })).toBe(50);
    expect(await items.estimatedDocumentCount()).toBe(COUNT);
  });

  when('projections')('projects fields, slices and elements', async () => {
    const own = collection<mongo.Document & { _id: number }>();
    await own.insertOne({
      _id: 1,
      a: 1,
      b: { c: 2, d: 3 },
      list: [
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ],
      n: [1, 2, 3, 4],
    });
    const shown = (projection: mongo.Document) => own.findOne({}, { projection });
    expect(await shown({ a: 1 })).toEqual({ _id: 1, a: 1 });
    expect(await shown({ _id: 0, 'b.c': 1, 'list.x': 1 })).toEqual({ b: { c: 2 }, list: [{ x: 1 }, { x: 2 }] });
    expect(await shown({ list: 0, b: 0, n: 0 })).toEqual({ _id: 1, a: 1 });
    expect(await shown({ 'b.c': 0, list: 0, n: 0 })).toEqual({ _id: 1, a: 1, b: { d: 3 } });
    expect(await shown({ a: 1, n: { $slice: [1, 2] } })).toEqual({ _id: 1, a: 1, n: [2, 3] });
    expect(await shown({ list: { $elemMatch: { x: 2 } } })).toEqual({ _id: 1, list: [{ x: 2, y: 2 }] });
  });
});
