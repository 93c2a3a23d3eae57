import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BodyDocument } from '@postroom/mail-store/documents/email';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { insertAll } from './insert-all-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const MEGABYTE = 1024 * 1024;
const body = (_id: string, megabytes = 0): BodyDocument => ({
  _id,
  workspaceId: 'wsp_1',
  mailboxId: 'mbx_1',
  html: null,
  text: 'x'.repeat(megabytes * MEGABYTE),
  createdAt: new Date(),
});
const stored = async () =>
  (await database.collections.bodies.find({}, { _id: 1 }).sort({ _id: 1 }).lean<{ _id: string }[]>()).map(
    ({ _id }) => _id,
  );

describe('inserting many', () => {
  it('one that no server takes keeps none of the others out', async () => {
    const documents = [body('a'), body('b', 17), body('c'), body('d'), body('e', 18)];
    const { refused } = await insertAll(database.collections.bodies, documents);
    expect(refused.map(({ _id }) => _id)).toEqual(['b', 'e']);
    expect(await stored()).toEqual(['a', 'c', 'd']);
  });

  it('one beyond a bound is not even sent; one that is there is a duplicate', async () => {
    const documents = [body('a'), body('f', 2), body('g')];
    const { refused, duplicates } = await insertAll(database.collections.bodies, documents, MEGABYTE);
    expect([refused.map(({ _id }) => _id), duplicates.map(({ _id }) => _id)]).toEqual([['f'], ['a']]);
    expect(await stored()).toEqual(['a', 'c', 'd', 'g']);
  });

  it('a failure that is nobody’s fault is thrown', async () => {
    const gone = { collection: { insertMany: () => Promise.reject(new Error('no connection')) } };
    await expect(insertAll(gone as never, [body('h')])).rejects.toThrow('no connection');
  });
});
