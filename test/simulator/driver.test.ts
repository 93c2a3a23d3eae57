import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collections } from '@postroom/mail-store/collections';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { createOutboxStore, toOutboxEntry } from '@postroom/mail-store/outbox-store';
import { seededIds } from '@postroom/runtime/ids';
import { emailDocument } from '../support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';
import { makeUniqueIndexes, simulatedCollections } from './world/database.ts';
import { createProcess } from './world/process.ts';
import { createWorld } from './world/world.ts';

let database: TestDatabase;
beforeAll(async () => (database = await openTestDatabase()));
afterAll(() => database.close());

const DAY = new Date('2026-01-01T00:00:00Z');
const event = (id: string) => ({ id, type: 'email.received', key: 'k', occurredAt: DAY, value: Buffer.from(id) });
const pending = { outbox: { received: event('evt_1') }, owedSince: DAY, owedOrder: 1 };
const mail = (_id: string, more: Partial<EmailDocument> = {}) =>
  emailDocument({ _id, subject: `About ${_id}`, createdAt: DAY, date: DAY, ...more } as Partial<EmailDocument>);

type Call = (collections: Collections) => Promise<unknown>;

/** Each call of the driver that services make, in an order in which each has something to do. */
const CALLS: Readonly<Record<string, Call>> = {
  'insertMany of three': ({ emails }) =>
    emails.collection.insertMany([mail('e1', pending), mail('e2'), mail('e3')] as never[], { ordered: false }),
  'insertMany with a duplicate among others': ({ emails }) =>
    emails.collection.insertMany([mail('e4'), mail('e1'), mail('e5')] as never[], { ordered: false }),
  'create of a document that is there': ({ labels }) => {
    const label = { workspaceId: 'w', name: 'A', nameKey: 'a', color: 'Pink', isAiLabel: true, deletedAt: null };
    return labels
      .create([{ _id: 'l1', createdAt: DAY, ...label }])
      .then(() => labels.create([{ _id: 'l1', createdAt: DAY, ...label }]));
  },
  'find with a projection, an order and a limit': ({ emails }) =>
    emails.find({ workspaceId: 'wsp_test' }, { subject: 1 }).sort({ _id: -1 }).limit(2).lean(),
  'find of the driver': ({ emails }) =>
    emails.collection.find({ _id: { $in: ['e1', 'e9'] as never[] } }, { projection: { subject: 1 } }).toArray(),
  'findOne of one that is there': ({ emails }) => emails.findOne({ _id: 'e1' }, { outbox: 1, date: 1 }).lean(),
  'findOne of one that is not': ({ emails }) => emails.findOne({ _id: 'e9' }).lean(),
  'updateOne that changes': ({ emails }) => emails.updateOne({ _id: 'e1' }, { $set: { isRead: true } }),
  'updateOne that matches and changes nothing': ({ emails }) =>
    emails.updateOne({ _id: 'e1' }, { $set: { isRead: true } }),
  'updateOne that matches nothing': ({ emails }) => emails.updateOne({ _id: 'e9' }, { $set: { isRead: true } }),
  'updateOne that inserts': ({ deadLetters }) =>
    deadLetters.updateOne({ _id: 'd1' }, { $set: { topic: 't', givenUpAt: DAY } }, { upsert: true }),
  updateMany: ({ emails }) => emails.updateMany({ workspaceId: 'wsp_test' }, { $set: { isStarred: true } }),
  'findOneAndUpdate, as it is after': ({ emails }) =>
    emails
      .findOneAndUpdate(
        { _id: 'e2', isRead: false },
        { $set: { isRead: true } },
        { returnDocument: 'after', projection: { isRead: 1 } },
      )
      .lean(),
  'findOneAndUpdate that matches nothing': ({ emails }) =>
    emails.findOneAndUpdate({ _id: 'e2', isRead: false }, { $set: { isRead: true } }).lean(),
  'findOneAndUpdate that inserts': ({ ingestAttempts }) =>
    ingestAttempts
      .findOneAndUpdate(
        { _id: 'a1', workspaceId: 'w' },
        { $inc: { attempts: 1 } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean(),
  'findOneAndUpdate that inserts what is there': ({ ingestAttempts }) =>
    ingestAttempts
      .findOneAndUpdate(
        { _id: 'a1', workspaceId: 'other' },
        { $inc: { attempts: 1 } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean(),
  'replaceOne that inserts, and one that replaces': async ({ bodies }) => {
    const body = { workspaceId: 'w', html: null, text: 'A' };
    const first = await bodies.replaceOne({ _id: 'b1', workspaceId: 'w' }, body as never, { upsert: true });
    const second = await bodies.replaceOne({ _id: 'b1', workspaceId: 'w' }, { ...body, text: 'B' } as never);
    return [first, second, await bodies.findOne({ _id: 'b1' }, { text: 1 }).lean()];
  },
  'findOneAndDelete of one that is there, and again': async ({ bodies }) => [
    await bodies.findOneAndDelete({ _id: 'b1' }, { projection: { text: 1 } }).lean(),
    await bodies.findOneAndDelete({ _id: 'b1' }).lean(),
  ],
  countDocuments: ({ emails }) => emails.countDocuments({ workspaceId: 'wsp_test' }),
  'countDocuments to a limit': ({ emails }) => emails.countDocuments({ workspaceId: 'wsp_test' }, { limit: 2 }),
  'the outbox: claim': async ({ emails }) => {
    const store = createOutboxStore(emails, { ids: seededIds(1) });
    return store.claim(DAY, new Date(DAY.getTime() + 1), 10);
  },
  'the outbox: published events leave, and a newer one stays': async ({ emails }) => {
    const store = createOutboxStore(emails, { ids: seededIds(1) });
    const published = (id: string) => [{ ownerId: 'e1', name: 'received', event: event(id) }];
    await store.markPublished(published('evt_0'));
    const before = await emails.findOne({ _id: 'e1' }).lean<EmailDocument>();
    await store.markPublished(published('evt_1'));
    return [
      toOutboxEntry(before as EmailDocument),
      await emails.findOne({ _id: 'e1' }, { outbox: 1, owedSince: 1 }).lean(),
    ];
  },
  deleteOne: ({ emails }) => emails.deleteOne({ _id: 'e3' }),
  deleteMany: ({ emails }) => emails.deleteMany({ workspaceId: 'wsp_test' }),
};

/** The answer as a caller sees it, or the name, the code and the refused documents of an error. */
async function seen(call: Call, collections: Collections): Promise<unknown> {
  try {
    return plain(await call(collections));
  } catch (error) {
    const { code, writeErrors } = error as { code?: number; writeErrors?: { index?: number; code?: number }[] };
    return { code, refused: writeErrors?.map(({ index, code: why }) => ({ index, why })) };
  }
}

/** Documents of mongoose as what they hold; ids that the driver makes for its own answers are left out. */
const plain = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value ?? null, (name, one: unknown) => (name === 'insertedIds' ? undefined : one)),
  ) as unknown;

describe('the simulated driver answers as the real one does', () => {
  const simulated: Record<string, unknown> = {};
  const real: Record<string, unknown> = {};

  beforeAll(async () => {
    for (const [name, call] of Object.entries(CALLS)) real[name] = await seen(call, database.collections);
    const world = createWorld(1, { only: [] });
    await makeUniqueIndexes(world.database);
    const process = createProcess(world, 'test');
    let isDone = false;
    const callEach = async () => {
      for (const [name, call] of Object.entries(CALLS)) simulated[name] = await seen(call, simulatedCollections());
      isDone = true;
    };
    world.after(0, process, () => void callEach());
    await world.runUntil(() => isDone);
  });

  it.each(Object.keys(CALLS))('%s', (name) => {
    expect(simulated[name]).toEqual(real[name]);
    expect(real[name]).toBeDefined();
  });
});
