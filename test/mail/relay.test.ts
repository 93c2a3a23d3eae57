import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type EncodedEvent, encodeEvent } from '@postroom/events/event';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import type { FaultOptions } from '@postroom/events/faults';
import type { PublishStep } from '@postroom/events/outbox/publish-pending';
import { createRelay, type Relay } from '@postroom/events/outbox/relay';
import { openMailStore } from '@postroom/mail-store/connection';
import type { Collections } from '@postroom/mail-store/collections';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { firstOutbox, outboxUpdate } from '@postroom/mail-store/outbox';
import { createOutboxStore, toOutboxEntry } from '@postroom/mail-store/outbox-store';
import { Event } from '@postroom/proto/postroom/v1/events';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../support/database.ts';
import { openMailboxWorld } from './mailbox-world.ts';

// A busy machine is no failure of the relay.
jest.setTimeout(90_000);

const context = createServiceContext({ name: 'relay-test', log: silentLog });
let collections: Collections;
let drop: () => Promise<unknown>;
beforeEach(async () => {
  const store = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  await migrate(store.connection, context);
  ({ collections } = store);
  drop = async () => {
    await store.connection.dropDatabase();
    await store.connection.close();
  };
});
afterEach(() => drop());

const openBus = (faults?: FaultOptions) => memoryBus({ clock: systemClock, log: silentLog, ...(faults && { faults }) });
// One that is to be killed must not be helped by its own sweep.
const HOURS = 10_000_000;
const relayOn = (bus: MemoryBus, at?: (step: PublishStep) => void): Relay =>
  createRelay({
    store: createOutboxStore(collections.emails, context),
    bus,
    context,
    sweepMs: at ? HOURS : 100,
    leaseMs: 200,
    ...(at && { at }),
  });

const MINUTE = 60_000;
const received = (id: string, n = 1): EncodedEvent => {
  const data = { emailId: id, mailboxId: `mbx_${n % 5}`, folderType: 'INBOX' };
  return encodeEvent({ id, type: 'email.received', workspaceId: `wsp_${n % 3}`, occurredAt: new Date(), data });
};
const updated = (id: string, n = 1): EncodedEvent => {
  const data = { emailId: id, mailboxId: `mbx_${n % 5}`, changes: { isRead: true } };
  return encodeEvent({ id, type: 'email.updated', workspaceId: `wsp_${n % 3}`, occurredAt: new Date(), data });
};
const email = (n: number, outbox: EmailDocument['outbox'], ageMs = MINUTE) =>
  ({
    _id: `eml_${n}`,
    workspaceId: `wsp_${n % 3}`,
    mailboxId: `mbx_${n % 5}`,
    sourceKey: `s${n}`,
    messageKey: `m${n}`,
    date: new Date(n),
    receivedAt: new Date(n),
    ...firstOutbox(outbox, new Date(Date.now() - ageMs)),
  }) as unknown as EmailDocument;

const insert = (documents: EmailDocument[]) => collections.emails.collection.insertMany(documents as never[]);
const stillPending = () =>
  collections.emails.countDocuments({ $or: [{ owedSince: { $exists: true } }, { outbox: { $ne: {} } }] });
const idsIn = (bus: MemoryBus) =>
  (['email.received', 'email.updated'] as const).flatMap((topic) => bus.messagesIn(topic).map(({ id }) => id));
const idle = async () => {
  while ((await stillPending()) > 0) await new Promise((resolve) => setTimeout(resolve, 25));
};

describe('the relay', () => {
  it('publishes pending events, keyed by mailbox, as the event of the proto, and removes them', async () => {
    const bus = openBus();
    await insert([email(1, { received: received('e1'), isRead: updated('e2') })]);
    const relay = relayOn(bus);
    await relay.drain();
    const [first] = bus.messagesIn('email.received');
    expect(first).toMatchObject({ id: 'e1', key: 'mbx_1', type: 'email.received' });
    expect(Event.decode(first?.value ?? Buffer.alloc(0))).toMatchObject({
      id: 'e1',
      workspaceId: 'wsp_1',
      data: { $case: 'emailReceived', value: { emailId: 'e1' } },
    });
    const [second] = bus.messagesIn('email.updated');
    expect(Event.decode(second?.value ?? Buffer.alloc(0)).data).toMatchObject({
      $case: 'emailUpdated',
      value: { changes: { isRead: true } },
    });
    expect(await stillPending()).toBe(0);
    await relay.close();
  });

  it.each<PublishStep>(['found', 'published', 'marked'])(
    'killed once it has %s: every event is published, repeats keep their id',
    async (step) => {
      const bus = openBus();
      await insert(Array.from({ length: 20 }, (_, n) => email(n, { received: received(`e${n}`) })));
      const killed = relayOn(bus, (at) => {
        if (at === step) throw new Error('killed');
      });
      await expect(killed.drain()).rejects.toThrow('killed');
      await killed.close();

      const next = relayOn(bus);
      await idle();
      await next.close();
      expect(new Set(idsIn(bus)).size).toBe(20);
      expect(idsIn(bus)).toHaveLength(step === 'published' ? 40 : 20);
    },
  );

  it('killed at random for sixty rounds, on a bus that loses and repeats: each event arrives as itself alone', async () => {
    const bus = openBus({ seed: 11, drop: 0.3, repeat: 0.3 });
    const count = 300;
    const perEmail = (n: number) => ({ received: received(`r${n}`), ...(n % 4 === 0 && { isRead: updated(`u${n}`) }) });
    await insert(Array.from({ length: count }, (_, n) => email(n, perEmail(n))));
    const handled = new Map<string, number>();
    const consumer = await bus.subscribe({
      group: 'g',
      topic: 'email.received',
      onMessage: async ({ id }) => void handled.set(id, (handled.get(id) ?? 0) + 1),
    });

    for (let pass = 0; pass < 60; pass++) {
      let step = 0;
      const dies = pass % 3;
      const relay = relayOn(bus, () => {
        if (step++ === dies) throw new Error('killed');
      });
      await relay.drain().catch(() => undefined);
      await relay.close();
    }
    const last = relayOn(bus);
    await idle();
    await last.close();
    await bus.idle();
    await consumer.close();
    expect([...handled.keys()].sort()).toEqual(Array.from({ length: count }, (_, n) => `r${n}`).sort());
    expect(new Set(bus.messagesIn('email.updated').map(({ id }) => id)).size).toBe(count / 4);
  });

  it('several at once lose nothing, and events that come meanwhile keep their place', async () => {
    const bus = openBus();
    const relays = Array.from({ length: 4 }, () => relayOn(bus));
    for (let n = 0; n < 60; n++) {
      const document = email(n, { received: received(`a${n}`) });
      await insert([document]);
      relays[n % 4]?.publishSoon([toOutboxEntry(document)]);
      const change = outboxUpdate({ isRead: updated(`b${n}`) }, new Date(Date.now() - MINUTE));
      await collections.emails.updateOne({ _id: `eml_${n}` }, change);
    }
    await idle();
    await Promise.all(relays.map((relay) => relay.close()));
    expect(new Set(idsIn(bus)).size).toBe(120);
  });

  it('tells of mails that came as one batch, written in one second, in the order in which they came', async () => {
    const world = await openMailboxWorld();
    const { mailbox, arriveTogether } = await world.mailbox();
    const mails = Array.from({ length: 40 }, (_, n) => ({ uid: n + 1, messageId: `<${n}@sender.example>` }));
    const outcomes = await arriveTogether(mails);
    const bus = openBus();
    const relay = createRelay({ store: createOutboxStore(world.collections.emails, context), bus, context });
    await relay.drain();
    await relay.close();
    const told = bus.messagesIn('email.received').map(({ value }) => Event.decode(value).data?.value);
    const ids = outcomes.map(({ emailId }) => ({ emailId, mailboxId: mailbox._id }));
    expect(told).toMatchObject(ids);
    await world.close();
  });

  it('one word is enough: an event that is new is not left to the sweep of another process', async () => {
    const bus = openBus();
    const other = relayOn(bus);
    const fresh = email(1, { received: received('fresh') }, 0);
    await insert([fresh]);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(idsIn(bus)).toEqual([]);
    other.publishSoon([toOutboxEntry(fresh)]);
    await idle();
    await other.close();
    expect(idsIn(bus)).toEqual(['fresh']);
  });
});
