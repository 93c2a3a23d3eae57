import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmbeddedMongo, startEmbeddedMongo } from '@postroom/embedded/start';
import { type MailStore, openMailStore, type StoreOptions } from '@postroom/mail-store/connection';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { randomIds } from '@postroom/runtime/ids';
import { createServiceContext } from '@postroom/runtime/service-context';
import { noTracing } from '@postroom/runtime/tracing';
import type { mongo } from 'mongoose';
import { emailDocument } from '../support/email-document.ts';

/** The driver as the services open it. Its promises on the wire are tried on a server that can be told to fail. */
describe('the connection to the database', () => {
  let server: EmbeddedMongo;
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  beforeAll(async () => {
    server = await startEmbeddedMongo();
  });
  afterAll(async () => {
    await context.lifecycle.close();
    await server.close();
  });

  const open = (options: Partial<StoreOptions> = {}): Promise<MailStore> =>
    openMailStore({ uri: server.uri, needsSchema: false, ...options }, context);
  const optionsOf = ({ connection }: MailStore) => connection.getClient().options;
  const failOnce = async ({ connection }: MailStore, data: object): Promise<void> => {
    const admin = connection.getClient().db('admin');
    await admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
  };
  const email = () => emailDocument({ workspaceId: randomUUID() });

  it('has its writes acknowledged by a majority, and as many connections as it was told', async () => {
    expect(optionsOf(await open())).toMatchObject({ writeConcern: { w: 'majority' }, maxPoolSize: 20 });
    expect(optionsOf(await open({ poolSize: 3 }))).toMatchObject({ maxPoolSize: 3 });
  });

  it('asks for that majority with every write on the wire, past mongoose too', async () => {
    const watched = { ...context, tracing: { ...noTracing, enabled: true } };
    const { connection, collections } = await openMailStore({ uri: server.uri, needsSchema: false }, watched);
    const { emails } = collections;
    const concerns: unknown[] = [];
    connection.getClient().on('commandStarted', ({ commandName, command }: mongo.CommandStartedEvent) => {
      if (['insert', 'update', 'delete', 'findAndModify'].includes(commandName)) concerns.push(command['writeConcern']);
    });
    const { _id, ...rest } = email();
    const change = { $set: { isRead: true } };
    await emails.collection.insertMany([{ _id, ...rest }] as never[], { ordered: false });
    await emails.findOneAndUpdate({ _id }, change);
    await emails.updateMany({ _id }, change);
    await emails.bulkWrite([{ updateOne: { filter: { _id }, update: change } }]);
    await createOutboxStore(emails, { ids: randomIds }).touch([_id], new Date());
    await emails.deleteMany({ _id });
    expect(concerns).toEqual(Array.from({ length: 6 }, () => expect.objectContaining({ w: 'majority' })));
  });

  it('reads from the primary, whatever the address says, unless it may show what is a moment old', async () => {
    const uri = `${server.uri}&readPreference=secondaryPreferred`;
    expect(optionsOf(await open({ uri })).readPreference.mode).toBe('primary');
    expect(optionsOf(await open({ uri, staleReads: true })).readPreference.mode).toBe('secondaryPreferred');
  });

  it('writes once, and is answered, when the connection breaks under a write', async () => {
    const store = await open();
    const { emails } = store.collections;
    const document = email();
    await failOnce(store, { failCommands: ['insert'], closeConnection: true });
    await emails.collection.insertOne(document as never);
    await failOnce(store, { failCommands: ['update'], closeConnection: true });
    await emails.updateOne({ _id: document._id }, { $set: { isRead: true } });
    expect(await emails.find({ workspaceId: document.workspaceId }, { isRead: 1 }).lean()).toEqual([
      { _id: document._id, isRead: true },
    ]);
  });

  it('is answered when the primary steps down under a write or a read', async () => {
    const store = await open();
    const { emails } = store.collections;
    const document = email();
    const notPrimary = { errorCode: 10_107, errorLabels: ['RetryableWriteError'] };
    await failOnce(store, { failCommands: ['insert'], ...notPrimary });
    await emails.collection.insertOne(document as never);
    await failOnce(store, { failCommands: ['find'], errorCode: 10_107 });
    expect(await emails.countDocuments({ _id: document._id })).toBe(1);
    expect(await emails.find({ _id: document._id }, { _id: 1 }).lean()).toHaveLength(1);
  });
});
