import { expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { describeMongo, errorOf } from './support/mongo.ts';

const { Double, Int32, Long } = mongo;

/** A document, an update, and the document after it. */
type Row = [name: string, before: mongo.Document, update: mongo.Document, after: mongo.Document];

const rows: Row[] = [
  ['$set', { a: 1 }, { $set: { a: 2, b: 3 } }, { a: 2, b: 3 }],
  ['$set below a path that is not there', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['$set of a place', { a: [1, 2] }, { $set: { 'a.1': 5 } }, { a: [1, 5] }],
  ['$set beyond the end', { a: [1] }, { $set: { 'a.3': 5 } }, { a: [1, null, null, 5] }],
  ['$set keeps the order of fields', { a: 1, b: 2 }, { $set: { a: 3, c: 4 } }, { a: 3, b: 2, c: 4 }],
  ['$unset', { a: 1, b: { c: 1, d: 2 } }, { $unset: { a: '', 'b.c': '' } }, { b: { d: 2 } }],
  ['$inc', { a: 1 }, { $inc: { a: 2, b: -1 } }, { a: 3, b: -1 }],
  ['$inc by a fraction', { a: 1 }, { $inc: { a: 0.5 } }, { a: 1.5 }],
  ['$mul', { a: 3 }, { $mul: { a: 2, b: 5 } }, { a: 6, b: 0 }],
  ['$min and $max', { a: 5, b: 5 }, { $min: { a: 3, c: 1 }, $max: { b: 3 } }, { a: 3, b: 5, c: 1 }],
  ['$push', { a: [1] }, { $push: { a: 2, b: 'x' } }, { a: [1, 2], b: ['x'] }],
  ['$addToSet', { a: [1] }, { $addToSet: { a: { $each: [1, 2, 2] } } }, { a: [1, 2] }],
  ['$pull of a value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
  ['$pullAll', { a: [1, 2, 3] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
  ['$pop', { a: [1, 2, 3], b: [1, 2] }, { $pop: { a: 1, b: -1 } }, { a: [1, 2], b: [2] }],
  ['$rename', { a: 1, b: { c: 2 } }, { $rename: { a: 'x', 'b.c': 'y' } }, { b: {}, x: 1, y: 2 }],
  ['$setOnInsert of a document that is there', { a: 1 }, { $setOnInsert: { a: 2 } }, { a: 1 }],
];

/** Updates of arrays that some servers do not support. */
const arrayRows: Row[] = [
  ['$unset of an element', { a: [1, 2] }, { $unset: { 'a.0': '' } }, { a: [null, 2] }],
  ['$push each, sorted and cut', { a: [3] }, { $push: { a: { $each: [1, 2], $sort: 1, $slice: -2 } } }, { a: [2, 3] }],
  ['$push at a place', { a: [1, 4] }, { $push: { a: { $each: [2, 3], $position: 1 } } }, { a: [1, 2, 3, 4] }],
  [
    '$push sorted by a field',
    { a: [{ n: 2 }] },
    { $push: { a: { $each: [{ n: 1 }], $sort: { n: 1 } } } },
    { a: [{ n: 1 }, { n: 2 }] },
  ],
  ['$addToSet of an array', { a: [1] }, { $addToSet: { a: [1] } }, { a: [1, [1]] }],
  ['$pull by a condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  ['$pull of objects', { a: [{ b: 1, c: 2 }, { b: 2 }] }, { $pull: { a: { b: 1 } } }, { a: [{ b: 2 }] }],
  ['$[]', { a: [{ n: 1 }, { n: 2 }] }, { $inc: { 'a.$[].n': 1 } }, { a: [{ n: 2 }, { n: 3 }] }],
];

describeMongo('updating', ({ collection: untyped, when, capabilities }) => {
  const collection = <T extends mongo.Document = mongo.Document & { _id: number | string }>() => untyped<T>();
  const bringsAbout = async (...[_name, before, update, after]: Row) => {
    const items = collection();
    await items.insertOne({ ...before, _id: 1 });
    await items.updateOne({ _id: 1 }, update);
    const found = await items.findOne({ _id: 1 });
    expect(found).toEqual({ _id: 1, ...after });
    // Order is only looked at here, since toEqual does not.
    if (capabilities.strict) expect(Object.keys(found ?? {})).toEqual(['_id', ...Object.keys(after)]);
  };
  it.each(rows)('%s', bringsAbout);
  when('arrayUpdates').each(arrayRows)('%s', bringsAbout);

  it('keeps the kinds of numbers, and lets a sum grow', async () => {
    const items = collection();
    await items.insertOne({ _id: 1, int: new Int32(2147483647), long: Long.fromNumber(1), double: new Double(1) });
    await items.updateOne({ _id: 1 }, { $inc: { int: 1, long: 1, double: 1 } });
    const found = await items.findOne({ _id: 1 }, { promoteValues: false });
    expect([found?.['int'], found?.['long'], found?.['double']].map((value) => value._bsontype)).toEqual([
      'Long',
      'Long',
      'Double',
    ]);
    expect(String(found?.['int'])).toBe('2147483648');
  });

  when('arrayUpdates')('changes array elements chosen by a filter', async () => {
    const items = collection();
    await items.insertOne({
      _id: 1,
      a: [
        { id: 'x', n: 1 },
        { id: 'y', n: 1 },
      ],
    });
    await items.updateOne({ _id: 1 }, { $set: { 'a.$[one].n': 7 } }, { arrayFilters: [{ 'one.id': 'y' }] });
    expect((await items.findOne({ _id: 1 }))?.['a']).toEqual([
      { id: 'x', n: 1 },
      { id: 'y', n: 7 },
    ]);
  });

  it('inserts by an upsert what the query and the update say', async () => {
    const items = collection();
    const result = await items.updateOne(
      { workspaceId: 'w', 'key.name': 'n', age: { $gt: 3 } },
      { $set: { a: 1 }, $setOnInsert: { _id: 'made', b: 2 }, $inc: { n: 1 } },
      { upsert: true },
    );
    expect(result).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedId: 'made' });
    expect(await items.findOne({})).toEqual({ _id: 'made', workspaceId: 'w', key: { name: 'n' }, a: 1, b: 2, n: 1 });
  });

  it('replaces a document, and keeps its _id', async () => {
    const items = collection();
    await items.insertOne({ _id: 1, a: 1 });
    await items.replaceOne({ _id: 1 }, { b: 2 });
    expect(await items.findOne({})).toEqual({ _id: 1, b: 2 });
  });

  it('says how many matched and how many really changed', async () => {
    const items = collection();
    await items.insertMany([1, 2, 3].map((n) => ({ _id: n, n })));
    expect(await items.updateMany({ n: { $gte: 2 } }, { $set: { n: 3 } })).toMatchObject({
      matchedCount: 2,
      modifiedCount: 1,
    });
    expect(await items.deleteMany({ n: 3 })).toMatchObject({ deletedCount: 2 });
  });

  when('projections')('finds and changes in one step: before, after, sorted, removed', async () => {
    const items = collection();
    await items.insertMany([1, 2, 3].map((n) => ({ _id: n, n })));
    expect(await items.findOneAndUpdate({}, { $inc: { n: 10 } }, { sort: { n: -1 } })).toEqual({ _id: 3, n: 3 });
    const after = await items.findOneAndUpdate(
      { _id: 3 },
      { $inc: { n: 1 } },
      { returnDocument: 'after', projection: { _id: 0 } },
    );
    expect(after).toEqual({ n: 14 });
    expect(await items.findOneAndDelete({ _id: 1 })).toEqual({ _id: 1, n: 1 });
    expect(
      await items.findOneAndUpdate({ _id: 9 }, { $set: { n: 9 } }, { upsert: true, returnDocument: 'after' }),
    ).toEqual({ _id: 9, n: 9 });
    expect(await items.findOneAndUpdate({ _id: 8 }, { $set: { n: 9 } })).toBeNull();
  });

  it('lets exactly one of many claims through', async () => {
    const items = collection();
    await items.insertOne({ _id: 'job', owner: null as string | null });
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        items.findOneAndUpdate({ _id: 'job', owner: null }, { $set: { owner: `o${i}` } }),
      ),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('runs a bulk to its first error in order, and past it without', async () => {
    const items = collection<{ _id: number }>();
    const inserts = [1, 1, 2].map((_id) => ({ insertOne: { document: { _id } } }));
    const ordered = await items.bulkWrite(inserts).catch((error: unknown) => error as mongo.MongoBulkWriteError);
    expect(ordered).toMatchObject({ code: 11000 });
    expect(await items.countDocuments()).toBe(1);
    await items.deleteMany({});
    const unordered = await items
      .bulkWrite(inserts, { ordered: false })
      .catch((error: unknown) => error as mongo.MongoBulkWriteError);
    expect(unordered).toMatchObject({ code: 11000 });
    expect(await items.countDocuments()).toBe(2);
  });

  when('strict')('refuses what contradicts itself or is not known', async () => {
    const items = collection();
    await items.insertOne({ _id: 1, a: 'text', list: 5 });
    const codes = async (update: mongo.Document): Promise<number> =>
      Number((await errorOf(items.updateOne({ _id: 1 }, update))).code);
    expect(await codes({ $set: { a: 1 }, $inc: { a: 1 } })).toBe(40);
    expect(await codes({ $set: { 'b.c': 1, b: 1 } })).toBe(40);
    expect(await codes({ $set: { _id: 2 } })).toBe(66);
    expect(await codes({ $inc: { a: 1 } })).toBe(14);
    expect(await codes({ $push: { list: 1 } })).toBe(2);
    expect(await codes({ $set: { 'a.b': 1 } })).toBe(28);
    expect(await codes({ $noSuchOperator: { a: 1 } })).toBe(9);
    expect(await items.findOne({ _id: 1 })).toEqual({ _id: 1, a: 'text', list: 5 });
  });
});
