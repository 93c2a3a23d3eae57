import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { toApiError } from '@postroom/errors/api-error';
import { isUnavailable } from '@postroom/errors/unavailable';
import { mongo } from 'mongoose';

let client: mongo.MongoClient;
beforeAll(() => {
  // Nothing listens there.
  client = new mongo.MongoClient('mongodb://127.0.0.1:1/test', { serverSelectionTimeoutMS: 50 });
});
afterAll(() => client.close());

const insert = async (write: (items: mongo.Collection) => Promise<unknown>): Promise<unknown> =>
  write(client.db().collection('items')).then(
    () => undefined,
    (error: unknown) => error,
  );

it.each<[string, (items: mongo.Collection) => Promise<unknown>]>([
  ['a single write', (items) => items.insertOne({})],
  ['an insert of many', (items) => items.insertMany([{}, {}], { ordered: true })],
  ['a bulk write', (items) => items.bulkWrite([{ insertOne: { document: {} } }], { ordered: false })],
])('%s that finds no server says that the database is unavailable', async (_what, write) => {
  expect(isUnavailable(await insert(write))).toBe(true);
});

it('a bulk write that no connection was free for is too late, as a single one is', () => {
  const { WaitQueueTimeoutError } = require('mongodb/lib/cmap/errors') as {
    WaitQueueTimeoutError: new (message: string, address: string) => Error;
  };
  const single = new WaitQueueTimeoutError('no connection', '127.0.0.1:1');
  const bulk = new mongo.MongoBulkWriteError(single, {} as mongo.BulkWriteResult);
  expect([single, bulk].map((error) => toApiError(error).code)).toEqual(['QUERY_TIMEOUT', 'QUERY_TIMEOUT']);
});
