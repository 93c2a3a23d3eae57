import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { decodeEvent } from '@postroom/events/event';
import { memoryBus } from '@postroom/events/memory-bus';
import { createRelay } from '@postroom/events/outbox/relay';
import { firstSchema } from '@postroom/mail-store/migrations/0001-first-schema';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { createServiceContext } from '@postroom/runtime/service-context';
import { emailDocument } from '../support/email-document.ts';
import { type MigrationWorld, openMigrationWorld } from './migrate.ts';

let world: MigrationWorld;
beforeAll(async () => {
  world = await openMigrationWorld();
});
afterAll(() => world.close());

const at = new Date('2026-01-02T03:04:05Z');

it('what emails of version 1 owed the bus and the provider is still told, the latest of each', async () => {
  await world.run({ steps: [firstSchema] });
  const { outbox: _outbox, providerChanges: _changes, ...old } = emailDocument();
  const label = { tagId: 'lbl_1', tagName: 'One', isAiLabel: false };
  const owed = [
    { id: 'e1', type: 'email.received', occurredAt: at, data: { mailboxId: old.mailboxId, folderType: 'INBOX' } },
    { id: 'e2', type: 'email.updated', occurredAt: at, data: { changes: { isRead: true } } },
    { id: 'e3', type: 'email.updated', occurredAt: at, data: { changes: { isStarred: true } } },
    { id: 'e4', type: 'email.updated', occurredAt: at, data: { changes: { isRead: false } } },
    { id: 'e5', type: 'label.applied', occurredAt: at, data: label },
    { id: 'e6', type: 'email.deleted', occurredAt: at, data: {} },
  ].map((event) => ({ ...event, data: { emailId: old._id, ...event.data } }));
  const change = { kind: 'flags', isRead: null, isStarred: null, folderId: null };
  const owedToProvider = [
    { ...change, id: 'c1', isRead: true },
    { ...change, id: 'c2', isRead: false },
    { ...change, id: 'c3', folderId: 'f' },
  ];
  const { emails } = world.collections;
  await emails.collection.insertOne({ ...old, owed, hasOwed: true, owedToProvider } as never);
  await emails.collection.insertOne({ ...old, _id: 'none', sourceKey: 'none', messageKey: 'none', owed: [] } as never);

  await world.run();
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const bus = memoryBus(context);
  const relay = createRelay({ store: createOutboxStore(emails, context), bus, context });
  await relay.drain();
  await relay.close();
  const updates = bus.messagesIn('email.updated').map(({ id }) => id);
  expect(updates.toSorted()).toEqual(['e3', 'e4']);
  const [received] = bus.messagesIn('email.received').map((message) => decodeEvent('email.received', message));
  expect(received).toEqual({
    id: 'e1',
    type: 'email.received',
    workspaceId: old.workspaceId,
    occurredAt: at,
    data: { emailId: old._id, mailboxId: old.mailboxId, folderType: 'INBOX' },
  });
  expect(bus.messagesIn('label.applied').map((message) => decodeEvent('label.applied', message).data.tagId)).toEqual([
    'lbl_1',
  ]);
  expect(bus.messagesIn('email.deleted').map(({ id, key }) => [id, key])).toEqual([['e6', old.mailboxId]]);
  const stored = await emails.findById(old._id).lean();
  expect(stored).toMatchObject({
    providerChanges: { isRead: { id: 'c2', to: false }, folderId: { id: 'c3', to: 'f' } },
    outbox: {},
  });
  expect(await emails.findById('none').lean()).not.toHaveProperty('outbox');
});
