import { expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { describeMongo, errorOf } from './support/mongo.ts';

const { Double, Int32, Long, ObjectId } = mongo;
const oid = new ObjectId('65a000000000000000000001');

/** Documents that differ in the ways that matter to a matcher, by id. */
const documents: mongo.Document[] = [
  { _id: 'int', a: new Int32(5) },
  { _id: 'double', a: new Double(5.5) },
  { _id: 'long', a: Long.fromString('9007199254740993') },
  { _id: 'nan', a: NaN },
  { _id: 'text', a: 'five' },
  { _id: 'upper', a: 'Five' },
  { _id: 'empty', a: '' },
  { _id: 'null', a: null },
  { _id: 'missing' },
  { _id: 'true', a: true },
  { _id: 'date', a: new Date(5) },
  { _id: 'oid', a: oid },
  { _id: 'array', a: [1, 5, 9] },
  { _id: 'texts', a: ['five', 'six'] },
  { _id: 'none', a: [] },
  { _id: 'nulls', a: [null] },
  { _id: 'nested', a: [[5]] },
  { _id: 'object', a: { b: 5, c: 1 } },
  { _id: 'swapped', a: { c: 1, b: 5 } },
  {
    _id: 'objects',
    a: [
      { b: 5, c: 1 },
      { b: 7, c: 2 },
    ],
  },
  { _id: 'half', a: [{ b: 5 }, { c: 2 }] },
  { _id: 'deep', a: { b: [{ c: 1 }, { c: [2, 3] }] } },
];

const fives = ['int', 'array'];
const nulls = ['null', 'missing', 'nulls'];

/** Each row: a filter, and the ids of the documents it is true for. */
const rows: [name: string, filter: mongo.Document, expected: string[]][] = [
  ['a number, in an array too', { a: 5 }, fives],
  ['a number of another kind', { a: Long.fromNumber(5) }, fives],
  ['a long beyond doubles', { a: Long.fromString('9007199254740993') }, ['long']],
  ['its neighbour', { a: 9007199254740992 }, []],
  ['NaN', { a: NaN }, ['nan']],
  ['text, case kept', { a: 'five' }, ['text', 'texts']],
  ['null, missing and null in an array', { a: null }, nulls],
  [
    'null below a path',
    { 'a.b': null },
    ['int', 'double', 'long', 'nan', 'text', 'upper', 'empty', 'null', 'missing', 'true', 'date', 'oid', 'half'],
  ],
  ['a whole array', { a: [1, 5, 9] }, ['array']],
  ['an array in an array', { a: [5] }, ['nested']],
  ['an empty array', { a: [] }, ['none']],
  ['an object in its own order', { a: { b: 5, c: 1 } }, ['object', 'objects']],
  ['a path through an array', { 'a.b': 7 }, ['objects']],
  ['a path to a place', { 'a.1': 5 }, ['array']],
  ['a path through arrays in arrays', { 'a.b.c': 3 }, ['deep']],
  ['$ne', { a: { $ne: 5 } }, documents.map(({ _id }) => String(_id)).filter((id) => !fives.includes(id))],
  ['$gt compares within its class', { a: { $gt: 5 } }, ['double', 'long', 'array']],
  ['$gte with text', { a: { $gte: 'five' } }, ['text', 'texts']],
  ['$lt with a date', { a: { $lt: new Date(6) } }, ['date']],
  ['$lt does not see NaN', { a: { $lt: 5.2 } }, ['int', 'array']],
  ['$gte null is null', { a: { $gte: null } }, nulls],
  ['two bounds, each by another element', { a: { $gt: 5, $lt: 5 } }, ['array']],
  ['$in', { a: { $in: ['six', true] } }, ['texts', 'true']],
  ['$in null', { a: { $in: [null] } }, nulls],
  ['$in nothing', { a: { $in: [] } }, []],
  ['$nin', { a: { $nin: [null, 5] }, _id: { $in: ['int', 'null', 'missing', 'text'] } }, ['text']],
  ['$exists', { a: { $exists: false } }, ['missing']],
  ['$exists below', { 'a.c': { $exists: true } }, ['object', 'swapped', 'objects', 'half']],
  ['$type by name', { a: { $type: 'string' } }, ['text', 'upper', 'empty', 'texts']],
  ['$type number', { a: { $type: 'number' } }, ['int', 'double', 'long', 'nan', 'array']],
  ['$type array', { a: { $type: 'array' } }, ['array', 'texts', 'none', 'nulls', 'nested', 'objects', 'half']],
  ['$size', { a: { $size: 2 } }, ['texts', 'objects', 'half']],
  ['$all', { a: { $all: [1, 9] } }, ['array']],
  ['$elemMatch of values', { a: { $elemMatch: { $gt: 5, $lt: 10 } } }, ['array']],
  ['$elemMatch of objects', { a: { $elemMatch: { b: 5, c: 1 } } }, ['objects']],
  ['$elemMatch across elements', { a: { $elemMatch: { b: 5, c: 2 } } }, []],
  ['$mod', { a: { $mod: [4, 1] } }, ['int', 'double', 'long', 'array']],
  ['$regex', { a: { $regex: '^f' } }, ['text', 'texts']],
  ['$regex with options', { a: { $regex: '^F', $options: 'i' } }, ['text', 'upper', 'texts']],
  ['$not', { a: { $not: { $type: 'number' } }, _id: { $in: ['int', 'text', 'missing'] } }, ['text', 'missing']],
  ['$and', { $and: [{ a: 1 }, { a: 9 }] }, ['array']],
  ['$or', { $or: [{ a: true }, { a: oid }] }, ['true', 'oid']],
  ['$nor', { $nor: [{ a: { $exists: true } }, { _id: 'x' }] }, ['missing']],
  ['$expr over two fields', { $expr: { $eq: ['$a.b', '$a.b'] }, _id: 'object' }, ['object']],
  ['$expr over text', { $expr: { $gte: [{ $indexOfCP: ['$_id', { $literal: 'nes' }] }, 0] } }, ['nested']],
];

describeMongo('matching', ({ collection, when, capabilities, db }) => {
  const foreign = !capabilities.strict;
  it('finds exactly the documents MongoDB finds', async () => {
    const items = collection();
    await items.insertMany(documents as (mongo.Document & { _id: unknown })[]);
    const wrong: unknown[] = [];
    for (const [name, filter, expected] of rows) {
      const found = await items
        .find(filter)
        .toArray()
        .then((list) => list.map(({ _id }) => String(_id)).toSorted(), String);
      if (JSON.stringify(found) !== JSON.stringify(expected.toSorted())) wrong.push({ name, found, expected });
    }
    // A server that is not MongoDB may differ here and there; the differences are shown, and must stay few.
    if (foreign && wrong.length > 0) console.log(`matching differs in: ${JSON.stringify(wrong)}`);
    expect(foreign ? wrong.slice(12) : wrong).toEqual([]);
  });

  it('orders values of all types', async () => {
    const items = collection();
    const order = [
      null,
      -1,
      2.5,
      Long.fromNumber(3),
      '',
      'Z',
      'a',
      'ä',
      { a: 1 },
      [0.5],
      oid,
      false,
      true,
      new Date(1),
    ];
    await items.insertMany(order.map((v, i) => ({ _id: i, v })).toReversed());
    const up = await items.find().sort({ v: 1, _id: 1 }).toArray();
    // An array sorts by its lowest element upwards, so [0.5] stands among the numbers.
    const expected = [0, 1, 9, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13];
    expect(up.map(({ _id }) => _id)).toEqual(expected);
  });

  when('strict')('refuses an operator it does not know and names it', async () => {
    const items = collection();
    expect((await errorOf(items.find({ a: { $near: 1 } as never }).toArray())).message).toMatch(/\$near/);
    expect((await errorOf(items.find({ $where: 'true' } as never).toArray())).message).toMatch(/\$where|where/);
    expect((await errorOf(items.find({ a: { $gt: 1, b: 2 } as never }).toArray())).message).toMatch(/b/);
    expect((await errorOf(db().command({ find: 'x', sortt: {} }))).message).toMatch(/sortt/);
  });
});
