import { describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { openCursorId, readBatch } from './raw-batch.ts';

const { BSON } = mongo;
const ids = (cursor: object) =>
  readBatch(BSON.serialize(cursor), (bytes, start) => {
    const end = start + bytes.readInt32LE(start);
    return (BSON.deserialize(bytes.subarray(start, end)) as { _id: number })._id;
  });
const firstBatch = Array.from({ length: 12 }, (_, _id) => ({ _id, text: 'x'.repeat(_id * 50) }));
const all = firstBatch.map(({ _id }) => _id);

describe('a batch cut out of a reply', () => {
  it('holds every document, however the server orders and types what stands beside', () => {
    expect(ids({ firstBatch, id: BSON.Long.ZERO, ns: 'a.b' })).toEqual(all);
    expect(ids({ id: 0, ns: 'a.b', partialResultsReturned: true, firstBatch })).toEqual(all);
    expect(ids({ firstBatch: [], id: BSON.Long.ZERO, ns: 'a.b' })).toEqual([]);
  });

  it('tells of a cursor that is open, wherever and however its id is written', () => {
    const openId = (cursor: object) => openCursorId(BSON.serialize(cursor));
    expect(openId({ firstBatch, id: BSON.Long.fromNumber(2 ** 40), ns: 'a.b' })).toBe(2n ** 40n);
    expect(openId({ id: 7, firstBatch })).toBe(7n);
    expect(openId({ firstBatch, id: BSON.Long.ZERO, ns: 'a.b' })).toBeNull();
    expect(openId({ id: 0, firstBatch })).toBeNull();
  });
});
