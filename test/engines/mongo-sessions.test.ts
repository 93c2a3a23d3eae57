import { expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { describeMongo, errorOf, inSession } from './support/mongo.ts';

const { Long, UUID } = mongo;

describeMongo('sessions', ({ collection, when, client, db, capabilities }) => {
  const sent = (session: mongo.ClientSession, command: mongo.Document, txnNumber: number): Promise<mongo.Document> =>
    db().command({ ...command, txnNumber: Long.fromNumber(txnNumber) }, { session });

  when('sessions')('answers a repeated insert with its result and inserts once', async () => {
    const items = collection<{ _id: number }>();
    const command = { insert: items.collectionName, documents: [{ _id: 1 }, { _id: 2 }] };
    await inSession(client(), new UUID(), async (session) => {
      expect(await sent(session, command, 1)).toMatchObject({ n: 2 });
      expect(await sent(session, command, 1)).toMatchObject({ n: 2 });
    });
    expect(await items.countDocuments()).toBe(2);
  });

  when('sessions')('answers a repeated update and findAndModify with the first result', async () => {
    const items = collection<{ _id: number; n: number }>();
    await items.insertOne({ _id: 1, n: 1 });
    const update = { update: items.collectionName, updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }] };
    const modify = { findAndModify: items.collectionName, query: { _id: 1 }, update: { $inc: { n: 5 } }, new: true };
    await inSession(client(), new UUID(), async (session) => {
      for (let i = 0; i < 3; i += 1) expect(await sent(session, update, 1)).toMatchObject({ n: 1, nModified: 1 });
      for (let i = 0; i < 3; i += 1) expect((await sent(session, modify, 2))['value']).toEqual({ _id: 1, n: 7 });
      expect((await errorOf(sent(session, update, 1))).code).toBe(225);
    });
  });

  when('sessions')('runs two copies of one write at the same time only once', async () => {
    const items = collection<{ _id: number; n: number }>();
    await items.insertOne({ _id: 1, n: 0 });
    const updates = [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }];
    const command = { update: items.collectionName, updates };
    await inSession(client(), new UUID(), (session) =>
      Promise.all(Array.from({ length: 10 }, () => sent(session, command, 1))),
    );
    expect(await items.findOne({})).toEqual({ _id: 1, n: 1 });
  });

  when('sessions', 'failPoints')(
    'a driver repeats a write whose connection was lost, and it happens once',
    async () => {
      const items = collection<{ _id: number; n: number }>();
      await items.insertOne({ _id: 1, n: 0 });
      const admin = client().db('admin');
      const data = { failCommands: ['update'], closeConnection: true };
      await admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
      await items.updateOne({ _id: 1 }, { $inc: { n: 1 } });
      expect(await items.findOne({})).toEqual({ _id: 1, n: 1 });
      await admin.command({
        configureFailPoint: 'failCommand',
        mode: { times: 1 },
        data: { failCommands: ['find'], errorCode: 11600 },
      });
      expect(await items.find().toArray()).toHaveLength(1);
      await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
    },
  );

  when('sessions')('works within a session that the caller holds', async () => {
    const items = collection<{ _id: number }>();
    await client().withSession(async (session) => {
      await items.insertOne({ _id: 1 }, { session });
      expect(await items.findOne({ _id: 1 }, { session })).toEqual({ _id: 1 });
    });
  });

  const refusesTransactions = capabilities.sessions && !capabilities.transactions ? it : it.skip;
  refusesTransactions('says that it has no transactions instead of pretending', async () => {
    const items = collection<{ _id: number }>();
    const error = await client().withSession((session) =>
      errorOf(session.withTransaction(() => items.insertOne({ _id: 1 }, { session }))),
    );
    expect(error.message).toContain('transactions are not supported');
    expect(await items.countDocuments()).toBe(0);
  });
});
