import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startEmbeddedMongo } from '@postroom/embedded/start';
import { mongo } from 'mongoose';
import { type EmbeddedProcess, startEmbeddedProcess } from './support/embedded-process.ts';
import { inSession } from './support/mongo.ts';

interface Row {
  _id: string;
  n: number;
  key?: string;
  tokens?: string[];
}

// Every test starts several processes.

/** The journal keeps every acknowledged write when the process is killed while it writes. */
describe('the journal of the embedded server', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'embedded-journal-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const withServer = async <T>(
    work: (items: mongo.Collection<Row>, server: EmbeddedProcess) => Promise<T>,
  ): Promise<T> => {
    const server = await startEmbeddedProcess(directory);
    const client = await mongo.MongoClient.connect(server.uri, { retryWrites: false, serverSelectionTimeoutMS: 2000 });
    try {
      return await work(client.db('j').collection<Row>('rows'), server);
    } finally {
      await client.close(true);
      await server.kill().catch(() => undefined);
    }
  };

  it('loses no acknowledged write to kill -9, and keeps every index right', async () => {
    const acknowledged = new Map<string, number>();
    for (let repetition = 0; repetition < 2; repetition += 1) {
      await withServer(async (items, server) => {
        await items.createIndex({ tokens: 1, n: 1 }, { name: 'by_token' });
        await items.createIndex({ key: 1 }, { name: 'once', unique: true });
        let running = true;
        const write = async (writer: number): Promise<void> => {
          for (let i = 0; running; i += 1) {
            const _id = `r${repetition}w${writer}i${i}`;
            await items.insertOne({ _id, n: 0, key: _id, tokens: [`w${writer}`, 'all'] });
            acknowledged.set(_id, 0);
            await items.updateOne({ _id }, { $inc: { n: 1 }, $push: { tokens: 'changed' } });
            acknowledged.set(_id, 1);
          }
        };
        const writers = [0, 1, 2, 3].map((writer) => write(writer).catch(() => undefined));
        while (acknowledged.size < (repetition + 1) * 100) await sleep(10);
        await server.kill();
        running = false;
        await Promise.all(writers);
      });
    }
    await withServer(async (items) => {
      const found = new Map((await items.find().toArray()).map((row) => [row._id, row.n]));
      const lost = [...acknowledged].filter(([_id, n]) => (found.get(_id) ?? -1) < n);
      expect(lost).toEqual([]);
      expect(await items.countDocuments({ tokens: 'all' }, { hint: 'by_token' })).toBe(found.size);
      expect(await items.find({ tokens: 'all' }).hint('by_token').toArray()).toHaveLength(found.size);
      const [[taken]] = [...found] as [[string, number]];
      await expect(items.insertOne({ _id: 'new', n: 1, key: taken })).rejects.toMatchObject({ code: 11000 });
    });
  });

  it('keeps every collection, however many are made and dropped one after another', async () => {
    const names = ['one', 'two', 'three', 'four'];
    await withServer(async (items, server) => {
      for (const name of names) {
        await items.db.createCollection(name);
        await items.db.collection(name).createIndex({ n: 1 }, { name: 'by_n' });
        await items.db.collection(name).insertOne({ n: 1 });
      }
      await items.db.dropCollection('two');
      await items.db.collection('four').insertOne({ n: 2 });
      await server.kill();
    });
    const counts = await withServer((items) =>
      Promise.all(names.map((name) => items.db.collection(name).countDocuments())),
    );
    expect(counts).toEqual([1, 0, 1, 2]);
  });

  it('remembers over a crash that a retryable write has happened', async () => {
    const id = new mongo.UUID();
    const updates = [{ q: { _id: 'one' }, u: { $inc: { n: 1 } } }];
    const command = { update: 'rows', updates, txnNumber: mongo.Long.fromNumber(7) };
    for (let i = 0; i < 2; i += 1) {
      await withServer(async (items) => {
        if (i === 0) await items.insertOne({ _id: 'one', n: 0 });
        const result = await inSession(items.db.client, id, (session) => items.db.command(command, { session }));
        expect(result).toMatchObject({ n: 1, nModified: 1 });
        expect(await items.findOne({})).toEqual({ _id: 'one', n: 1 });
      });
    }
  });

  it('comes up from a journal whose end is torn, with everything before the tear', async () => {
    await withServer((items) => items.insertMany([1, 2, 3].map((n) => ({ _id: `id${n}`, n, key: `k${n}` }))));
    const journal = readdirSync(directory).find((name) => name.startsWith('journal-')) as string;
    appendFileSync(join(directory, journal), Buffer.from([200, 1, 0, 0, 1, 2, 3, 4, 5]));
    await withServer(async (items) => {
      expect(await items.countDocuments()).toBe(3);
      await items.insertOne({ _id: 'id4', n: 4, key: 'k4' });
    });
    expect(await withServer((items) => items.find().sort({ _id: 1 }).toArray())).toHaveLength(4);
  });

  it('takes a snapshot, drops the journal before it, and comes back from both', async () => {
    const server = await startEmbeddedMongo({ directory });
    const client = await mongo.MongoClient.connect(server.uri);
    const items = client.db('j').collection<Row>('rows');
    await items.createIndex({ tokens: 1, n: -1 }, { name: 'by_token' });
    await items.createIndex({ key: 1 }, { name: 'once', unique: true, partialFilterExpression: { n: { $gte: 0 } } });
    const filler = 'x'.repeat(3000);
    for (let at = 0; at < 3000; at += 500) {
      const rows = Array.from({ length: 500 }, (_, i) => ({
        _id: `id${at + i}`,
        n: at + i,
        key: filler + (at + i),
        tokens: [`t${(at + i) % 7}`, 'all'],
      }));
      await items.insertMany(rows);
    }
    await items.deleteMany({ n: { $gte: 1000, $lt: 2000 } });
    await client.close();
    await server.close();
    expect(readdirSync(directory).some((name) => name.startsWith('snapshot-'))).toBe(true);
    await withServer(async (again) => {
      expect(await again.countDocuments({ tokens: 'all' }, { hint: 'by_token' })).toBe(2000);
      expect((await again.find({ tokens: 't3' }).sort({ n: -1 }).limit(1).next())?._id).toBe('id2999');
      await again.insertOne({ _id: 'after', n: 1, key: 'k' });
      await expect(again.insertOne({ _id: 'twice', n: 1, key: 'k' })).rejects.toMatchObject({ code: 11000 });
    });
    expect(await withServer((again) => again.countDocuments({}))).toBe(2001);
  });

  it('refuses a directory that another server has open', async () => {
    await withServer(async () => {
      await expect(startEmbeddedMongo({ directory })).rejects.toThrow(/in use/);
    });
  });
});
