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

  when('expressions')('groups with every accumulator', async () => {
    const group = {
      _id: '$shop',
      sum: { $sum: '$price' },
      min: { $min: '$price' },
      max: { $max: '$price' },
      avg: { $avg: '$price' },
      first: { $first: '$_id' },
      last: { $last: '$_id' },
      all: { $push: '$at.day' },
      set: { $addToSet: '$shop' },
      n: { $sum: 1 },
    };
    const found = await run([{ $sort: { _id: 1 } }, { $group: group }, { $sort: { _id: 1 } }]);
    expect(found).toEqual([
      { _id: 'a', sum: 12.5, min: 5, max: 7.5, avg: 6.25, first: 1, last: 2, all: [1, 2], set: ['a'], n: 2 },
      { _id: 'b', sum: 4, min: 1, max: 3, avg: 2, first: 3, last: 4, all: [1, 3], set: ['b'], n: 2 },
    ]);
  });

  it('groups by several fields, and by none', async () => {
    const byTwo = await run([
      { $group: { _id: { shop: '$shop', day: '$at.day' }, n: { $sum: 1 } } },
      { $count: 'groups' },
    ]);
    expect(byTwo).toEqual([{ groups: 4 }]);
    expect(await run([{ $group: { _id: null, total: { $sum: '$price' } } }])).toEqual([{ _id: null, total: 16.5 }]);
    expect(await run([{ $match: { shop: 'c' } }, { $count: 'n' }])).toEqual([]);
  });

  when('expressions')('unwinds arrays', async () => {
    const found = await run([
      { $unwind: '$items' },
      { $group: { _id: '$items', n: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ]);
    expect(found).toEqual([
      { _id: 'x', n: 2 },
      { _id: 'y', n: 1 },
      { _id: 'z', n: 1 },
    ]);
    const kept = await run([{ $unwind: { path: '$items', preserveNullAndEmptyArrays: true } }, { $count: 'n' }]);
    expect(kept).toEqual([{ n: 5 }]);
  });

  when('expressions')('projects and adds computed fields', async () => {
    const project = {
      _id: 0,
      shop: 1,
      double: { $multiply: ['$price', 2] },
      size: { $size: '$items' },
      first: { $arrayElemAt: ['$items', 0] },
    };
    expect(await run([{ $match: { _id: 1 } }, { $project: project }])).toEqual([
      { shop: 'a', double: 10, size: 2, first: 'x' },
    ]);
    const fields = { late: { $gt: ['$at.day', 1] }, label: { $concat: ['shop ', { $toUpper: '$shop' }] } };
    const [added] = await run([{ $match: { _id: 2 } }, { $addFields: fields }]);
    expect(added).toEqual({ ...sales[1], late: true, label: 'shop A' });
    const kind = { $cond: [{ $in: ['x', '$items'] }, 'has x', { $ifNull: ['$none', 'not'] }] };
    expect((await run([{ $sort: { _id: 1 } }, { $project: { kind } }])).map((one) => one['kind'])).toEqual([
      'has x',
      'has x',
      'not',
      'not',
    ]);
  });

  when('strict', 'expressions')('adds a computed field inside an object', async () => {
    const [added] = await run([{ $match: { _id: 2 } }, { $set: { 'at.late': { $gt: ['$at.day', 1] } } }]);
    expect(added).toEqual({ ...sales[1], at: { day: 2, late: true } });
  });

  when('expressions')('looks up documents of another collection', async () => {
    const shops = collection<{ _id: string; town: string }>();
    await shops.insertMany([
      { _id: 'a', town: 'Aachen' },
      { _id: 'c', town: 'Celle' },
    ]);
    const lookup = { from: shops.collectionName, localField: 'shop', foreignField: '_id', as: 'found' };
    const found = await run([
      { $match: { _id: { $in: [1, 3] } } },
      { $lookup: lookup },
      { $sort: { _id: 1 } },
      { $project: { found: 1 } },
    ]);
    expect(found).toEqual([
      { _id: 1, found: [{ _id: 'a', town: 'Aachen' }] },
      { _id: 3, found: [] },
    ]);
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

  when('strict')('refuses stages, operators and accumulators it does not know, by name', async () => {
    expect((await errorOf(run([{ $noSuchStage: {} }]))).message).toContain('$noSuchStage');
    expect((await errorOf(run([{ $project: { a: { $noSuchOperator: 1 } } }]))).message).toContain('$noSuchOperator');
    expect((await errorOf(run([{ $group: { _id: null, a: { $noSuchSum: 1 } } }]))).message).toContain('$noSuchSum');
  });
});
