import { beforeAll, expect, it } from '@jest/globals';
import type { mongo } from 'mongoose';
import { describeMongo, errorOf } from './support/mongo.ts';

interface Sale extends mongo.Document {
  _id: number;
  shop: string;
  items: string[];
  price: number;
  at: { day: number };
}

const sales: Sale[] = [
  { _id: 1, shop: 'a', items: ['x', 'y'], price: 5, at: { day: 1 } },
  { _id: 2, shop: 'a', items: ['x'], price: 7.5, at: { day: 2 } },
  { _id: 3, shop: 'b', items: [], price: 1, at: { day: 1 } },
  { _id: 4, shop: 'b', items: ['z'], price: 3, at: { day: 3 } },
];

describeMongo('aggregation', ({ collection, when }) => {
  let items: mongo.Collection<Sale>;
  beforeAll(async () => {
    items = collection<Sale>();
    await items.insertMany(sales);
  });
  const run = (pipeline: mongo.Document[]): Promise<mongo.Document[]> => items.aggregate(pipeline).toArray();

  it('matches, sorts, skips and limits', async () => {
    const found = await run([{ $match: { price: { $gt: 1 } } }, { $sort: { price: -1 } }, { $skip: 1 }, { $limit: 1 }]);
    expect(found.map(({ _id }) => _id)).toEqual([1]);
  });

  it('counts, as a driver asks for it', async () => {
    const count = { $group: { _id: 1, n: { $sum: 1 } } };
    expect(await run([{ $match: { shop: 'a' } }, count])).toEqual([{ _id: 1, n: 2 }]);
    expect(await run([{ $match: { price: { $gt: 1 } } }, { $skip: 1 }, { $limit: 1 }, count])).toEqual([
      { _id: 1, n: 1 },
    ]);
    expect(await run([{ $match: { shop: 'c' } }, count])).toEqual([]);
    expect(await run([count])).toEqual([{ _id: 1, n: 4 }]);
  });

  it('gives its result in batches', async () => {
    expect(await items.aggregate([{ $match: {} }], { batchSize: 1 }).toArray()).toHaveLength(4);
  });

  when('explain')('serves the beginning of a pipeline from an index', async () => {
    const own = collection<{ _id: number; n: number }>();
    await own.createIndex({ n: 1 }, { name: 'by_n' });
    await own.insertMany(Array.from({ length: 200 }, (_, _id) => ({ _id, n: _id })));
    const plan = await own
      .aggregate([{ $match: { n: { $gte: 50 } } }, { $sort: { n: 1 } }, { $limit: 5 }])
      .explain('executionStats');
    const text = JSON.stringify(plan);
    expect(text).toContain('by_n');
    expect(text).toMatch(/"totalDocsExamined":5\b/);
  });

  when('strict')('refuses stages and operators it does not know, by name', async () => {
    expect((await errorOf(run([{ $noSuchStage: {} }]))).message).toContain('$noSuchStage');
    const filter = { $expr: { $eq: [{ $noSuchOperator: 1 }, 1] } };
    expect((await errorOf(items.find(filter).toArray())).message).toContain('$noSuchOperator');
    expect((await errorOf(items.find({ $expr: { $noSuchOperator: 1 } }).toArray())).message).toContain(
      '$noSuchOperator',
    );
  });
});
