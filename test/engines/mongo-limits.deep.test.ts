import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { capabilitiesOf } from './support/capabilities.ts';
import { describeMongo, embeddedCapabilities, errorOf } from './support/mongo.ts';

interface Row {
  _id: number;
  text: string;
}

describeMongo('limits', ({ collection, when, client, db, capabilities }) => {
  /** Takes long, wherever it runs: two hundred searches through every text there is. */
  const slow = { $or: Array.from({ length: 200 }, (_, n) => ({ text: { $regex: `never there ${n}$` } })) };
  const filled = async (count: number): Promise<mongo.Collection<Row>> => {
    const items = collection<Row>();
    const rows = Array.from({ length: count }, (_, _id) => ({ _id, text: `text ${_id} `.repeat(20) }));
    for (let at = 0; at < count; at += 2000) await items.insertMany(rows.slice(at, at + 2000));
    return items;
  };
  const working = async (namespace: string): Promise<mongo.Document[]> => {
    const { inprog } = await client().db('admin').command({ currentOp: 1 });
    return (inprog as mongo.Document[]).filter((operation) => operation['ns'] === namespace);
  };

  it('is what it is taken for', async () => {
    if (capabilities.version !== embeddedCapabilities.version) return;
    const { host } = client().options.hosts[0] as { host: string };
    const { port } = client().options.hosts[0] as { port: number };
    expect(await capabilitiesOf(`mongodb://${host}:${port}/`)).toEqual(embeddedCapabilities);
  });

  when('maxTimeMS')('50 when a search takes longer than it may', async () => {
    const items = await filled(6000);
    const search = items.find(slow, { maxTimeMS: 2 }).toArray();
    expect((await errorOf(search)).code).toBe(50);
    const count = items.aggregate([{ $match: slow }, { $group: { _id: 1, n: { $sum: 1 } } }], { maxTimeMS: 2 });
    expect((await errorOf(count.toArray())).code).toBe(50);
    expect((await errorOf(items.updateMany(slow, { $set: { text: '' } }, { maxTimeMS: 2 }))).code).toBe(50);
  });

  when('killOp')('goes on answering others while a long search runs, and ends it when it is killed', async () => {
    const items = await filled(6000);
    const search = errorOf(items.find(slow).sort({ text: 1 }).toArray()).catch(() => undefined);
    await sleep(5);
    await items.findOne({ _id: 5 });
    for (const operation of await working(items.namespace)) {
      await client().db('admin').command({ killOp: 1, op: operation['opid'] });
    }
    const error = await search;
    expect([undefined, 11601]).toContain(error?.code);
  });

  when('killOp')('stops working when the client that asked is gone', async () => {
    const items = await filled(6000);
    const { host, port } = client().options.hosts[0] as mongo.HostAddress;
    const other = await mongo.MongoClient.connect(`mongodb://${host}:${port}/`);
    const search = other
      .db(items.dbName)
      .collection(items.collectionName)
      .find(slow)
      .toArray()
      .catch(() => 'ended');
    while ((await working(items.namespace)).length === 0) await sleep(5);
    await other.close(true);
    expect(await search).toBe('ended');
    while ((await working(items.namespace)).length > 0) await sleep(5);
  });

  it('404 for a cursor that was killed', async () => {
    const items = await filled(500);
    const { cursor } = await db().command({ find: items.collectionName, batchSize: 10 });
    const id = mongo.Long.fromValue(cursor.id);
    await db().command({ killCursors: items.collectionName, cursors: [id] });
    const more = db().command({ getMore: id, collection: items.collectionName });
    expect((await errorOf(more)).code).toBe(43);
  });

  when('strict')('refuses to sort more in memory than it may, unless an index helps', async () => {
    const items = collection<Row>();
    const big = 'x'.repeat(200_000);
    await items.insertMany(Array.from({ length: 200 }, (_, _id) => ({ _id, text: big + _id })));
    const own = capabilities.version === embeddedCapabilities.version;
    // MongoDB itself allows 100 MB and then spills to disk.
    if (own) expect((await errorOf(items.find().sort({ text: -1 }).toArray())).code).toBe(292);
    expect(await items.find().sort({ text: -1 }).limit(2).project({ _id: 1 }).toArray()).toHaveLength(2);
    expect(await items.find().sort({ _id: -1 }).project({ _id: 1 }).toArray()).toHaveLength(200);
  });

  it('stores a document of many megabytes and refuses one that is too large', async () => {
    const items = collection<Row>();
    await items.insertOne({ _id: 1, text: 'x'.repeat(15_000_000) });
    expect((await items.findOne({}))?.text).toHaveLength(15_000_000);
    await expect(items.insertOne({ _id: 2, text: 'x'.repeat(17_000_000) })).rejects.toThrow();
  });
});
