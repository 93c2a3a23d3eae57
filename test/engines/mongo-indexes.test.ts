import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeMongo, errorOf } from './support/mongo.ts';

describeMongo('indexes', ({ collection, when, db }) => {
  when('indexNames')('E11000 names the index when a unique key is taken', async () => {
    const items = collection<{ _id: string; workspaceId: string; name: string }>();
    await items.createIndex({ workspaceId: 1, name: 1 }, { name: 'name_once', unique: true });
    await items.insertOne({ _id: 'a', workspaceId: 'w', name: 'x' });
    await items.insertOne({ _id: 'b', workspaceId: 'v', name: 'x' });
    const insert = await errorOf(items.insertOne({ _id: 'c', workspaceId: 'w', name: 'x' }));
    expect(insert.code).toBe(11000);
    expect(insert.message).toMatch(/^E11000 duplicate key error collection: \S+ index: name_once dup key: /);
    const update = await errorOf(items.updateOne({ _id: 'b' }, { $set: { workspaceId: 'w' } }));
    expect(update.message).toContain('name_once');
    expect(await items.findOne({ _id: 'b' })).toEqual({ _id: 'b', workspaceId: 'v', name: 'x' });
  });

  when('keyPattern')('E11000 carries keyPattern and keyValue', async () => {
    const items = collection<{ _id: number; w: string; tags: string[] }>();
    await items.createIndex({ w: 1, tags: -1 }, { name: 'tag_once', unique: true });
    await items.insertOne({ _id: 1, w: 'w', tags: ['a', 'b'] });
    const error = await errorOf(items.insertOne({ _id: 2, w: 'w', tags: ['c', 'b'] }));
    expect(error['keyPattern']).toEqual({ w: 1, tags: -1 });
    expect(error['keyValue']).toEqual({ w: 'w', tags: 'b' });
    expect(error.message).toContain('index: tag_once dup key: { w: "w", tags: "b" }');
  });

  it('takes a missing field for null in a unique index', async () => {
    const items = collection<{ _id: number; w: string; key?: string | null }>();
    await items.createIndex({ w: 1, key: 1 }, { name: 'key_once', unique: true });
    await items.insertOne({ _id: 1, w: 'w' });
    expect((await errorOf(items.insertOne({ _id: 2, w: 'w', key: null }))).code).toBe(11000);
  });

  when('partialIndexes')('lets documents outside a partial unique index share a key', async () => {
    const items = collection<{ _id: number; w: string; live: boolean }>();
    await items.createIndex({ w: 1 }, { name: 'one_live', unique: true, partialFilterExpression: { live: true } });
    await items.insertMany([1, 2].map((_id) => ({ _id, w: 'w', live: false })));
    await items.insertOne({ _id: 3, w: 'w', live: true });
    expect((await errorOf(items.updateOne({ _id: 1 }, { $set: { live: true } }))).message).toContain('one_live');
    await items.updateOne({ _id: 3 }, { $set: { live: false } });
    expect((await items.updateOne({ _id: 1 }, { $set: { live: true } })).modifiedCount).toBe(1);
  });

  it('builds a unique index only over keys that are unique', async () => {
    const items = collection<{ _id: number; n: number }>();
    await items.insertMany([1, 2, 3].map((_id) => ({ _id, n: _id >> 1 })));
    expect((await errorOf(items.createIndex({ n: 1 }, { name: 'n_once', unique: true }))).code).toBe(11000);
    expect((await items.listIndexes().toArray()).map(({ name }) => name)).toEqual(['_id_']);
  });

  when('strict')('refuses a name or a key that is taken by another index', async () => {
    const items = collection();
    await items.createIndex({ a: 1 }, { name: 'one' });
    expect(await items.createIndex({ a: 1 }, { name: 'one' })).toBe('one');
    expect((await errorOf(items.createIndex({ b: 1 }, { name: 'one' }))).code).toBe(86);
    expect((await errorOf(items.createIndex({ a: 1 }, { name: 'two' }))).code).toBe(85);
    expect((await errorOf(items.createIndex({ a: 1 }, { name: 'one', unique: true }))).code).toBe(86);
    expect((await errorOf(items.dropIndex('three'))).code).toBe(27);
    expect((await errorOf(items.dropIndex('_id_'))).code).toBe(72);
  });

  it('lists indexes as they were made, and drops them', async () => {
    const items = collection();
    await items.createIndex({ a: 1, b: -1 }, { name: 'both', unique: true });
    const listed = await items.listIndexes().toArray();
    expect(listed).toHaveLength(2);
    // In which order they are listed is nobody's promise.
    expect(listed.find(({ name }) => name === 'both')).toMatchObject({
      v: 2,
      key: { a: 1, b: -1 },
      name: 'both',
      unique: true,
    });
    await items.dropIndex('both');
    expect(await items.listIndexes().toArray()).toHaveLength(1);
    const names = async (): Promise<string[]> => (await db().listCollections().toArray()).map(({ name }) => name);
    expect(await names()).toContain(items.collectionName);
    await items.drop();
    expect(await names()).not.toContain(items.collectionName);
  });

  when('ttl')('removes what has expired, and nothing else', async () => {
    const items = collection<{ _id: string; expiresAt?: Date | string }>();
    await items.createIndex({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 });
    const at = (ms: number): Date => new Date(Date.now() + ms);
    await items.insertMany([
      { _id: 'gone', expiresAt: at(-1000) },
      { _id: 'later', expiresAt: at(600_000) },
      { _id: 'never' },
      { _id: 'text', expiresAt: '2000-01-01' },
    ]);
    await db().admin().command({ setParameter: 1, ttlMonitorSleepSecs: 1 });
    while ((await items.countDocuments()) > 3) await sleep(50);
    expect((await items.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(['later', 'never', 'text']);
  });

  it('answers a second request for an index that is being built when it is there', async () => {
    const items = collection<{ _id: number; n: number }>();
    await items.insertMany(Array.from({ length: 3000 }, (_, _id) => ({ _id, n: _id % 100 })));
    const ask = async () => {
      await items.createIndex({ n: 1 }, { name: 'by_n' });
      return (await items.listIndexes().toArray()).map(({ name }) => name as string);
    };
    for (const names of await Promise.all([ask(), ask(), ask()])) expect(names).toContain('by_n');
  });

  it('builds an index while others write', async () => {
    const items = collection<{ _id: number; n: number }>();
    await items.insertMany(Array.from({ length: 3000 }, (_, _id) => ({ _id, n: _id % 100 })));
    const writes = Array.from({ length: 50 }, (_, i) => items.updateOne({ _id: i }, { $set: { n: 500 } }));
    await Promise.all([
      items.createIndex({ n: 1 }, { name: 'by_n' }),
      ...writes,
      items.deleteMany({ _id: { $gte: 2900 } }),
    ]);
    expect(await items.countDocuments({ n: 500 }, { hint: 'by_n' })).toBe(50);
    expect(await items.countDocuments({ n: { $gte: 0 } }, { hint: 'by_n' })).toBe(2900);
  });
});
