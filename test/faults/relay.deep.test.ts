import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BusMessage } from '@postroom/events/bus';
import type { FaultOptions } from '@postroom/events/faults';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import type { OutboxEntry } from '@postroom/events/outbox/outbox-store';
import type { PublishStep } from '@postroom/events/outbox/publish-pending';
import { createRelay, type Relay } from '@postroom/events/outbox/relay';
import { createOutboxStore } from '@postroom/mail-store/outbox-store';
import { Event } from '@postroom/proto/postroom/v1/events';
import { createChangeHandlers } from '../../services/mailbox-write/src/changes/change-handlers.ts';
import { openChangeWorld, type ChangeWorld } from '../support/change-world.ts';

const STEPS: PublishStep[] = ['found', 'published', 'marked'];
const TYPES = ['email.updated', 'email.deleted', 'label.applied'] as const;
const SEED = Number(process.env.POSTROOM_SEED ?? 20_261_121);

let world: ChangeWorld;
beforeAll(async () => {
  world = await openChangeWorld();
});
afterAll(() => world.close());

const busOf = (faults?: FaultOptions) =>
  memoryBus({ clock: world.context.clock, log: world.context.log, ...(faults && { faults }) });
/** Its sweep does not run within the test, so it publishes only after `publishSoon` or `drain`. */
const relayOn = (bus: MemoryBus, at?: (step: PublishStep) => void) =>
  createRelay({
    store: createOutboxStore(world.collections.emails, { ids: world.context.ids }),
    bus,
    context: world.context,
    sweepMs: 600_000,
    ...(at && { at }),
  });
const messagesOn = (bus: MemoryBus) => TYPES.flatMap((type) => [...bus.messagesIn(type)]);

/** Each logical event once, in the words of the contract. A repeat must have the bytes of the first delivery. */
function logicalEvents(messages: BusMessage[]) {
  const first = new Map<string, BusMessage>();
  for (const message of messages) {
    const known = first.get(message.id);
    if (known && !Buffer.from(message.value).equals(known.value)) throw new Error('a repeat differs');
    first.set(message.id, known ?? message);
  }
  return [...first.values()].map(({ id, key, type, value }) => {
    const event = Event.decode(value);
    expect(event.id).toBe(id);
    const { emailId, mailboxId, ...data } = { ...event.data?.value } as { emailId: string; mailboxId: string };
    expect(mailboxId).toBe(key);
    return { type, emailId, data };
  });
}

async function expectNothingPending(workspaceId: string): Promise<void> {
  const pending = await world.collections.emails
    .find({ workspaceId, $or: [{ owedSince: { $exists: true } }, { outbox: { $ne: {} } }] })
    .lean();
  expect(pending.map(({ _id }) => _id)).toEqual([]);
}

/** One change of every kind, the emails and what they ought to have announced. */
async function changeEverything(relay: Pick<Relay, 'publishSoon'>) {
  const workspace = await world.workspace();
  const { call } = workspace;
  const handlers = createChangeHandlers({ ...world, relay });
  const [one = '', two = '', three = '', four = ''] = await workspace.emails(4);
  const label = await workspace.label();
  await handlers.updateEmail({ emailId: one, isRead: true, isStarred: true }, call);
  await handlers.deleteEmail({ emailId: two }, call);
  await handlers.applyLabel({ emailId: one, labelId: label }, call);
  await handlers.applyLabel({ emailId: one, labelId: label }, call);
  await handlers.bulkMarkRead({ emailIds: [one, two, three, four], isRead: true }, call);
  await handlers.bulkDelete({ emailIds: [two, three] }, call);
  await handlers.bulkApplyLabel({ emailIds: [one, four], labelId: label }, call);
  await handlers.bulkRemoveLabel({ emailIds: [one, four], labelId: label }, call);
  const read = (emailId: string) => ({ type: 'email.updated', emailId, data: { changes: { isRead: true } } });
  const applied = (emailId: string) => ({
    type: 'label.applied',
    emailId,
    data: { tagId: label, tagName: `Label ${label}`, isAiLabel: false },
  });
  const expected = [
    read(one),
    { type: 'email.updated', emailId: one, data: { changes: { isStarred: true } } },
    ...[two, three, four].map(read),
    ...[two, three].map((emailId) => ({ type: 'email.deleted', emailId, data: {} })),
    ...[one, four].map(applied),
  ];
  return { workspaceId: call.workspaceId, expected };
}

const inOrder = (events: unknown[]) => events.map((event) => JSON.stringify(event)).toSorted();

describe('a relay that dies between the write and the end of its work', () => {
  it.each(STEPS)('at "%s": every change becomes exactly one logical event of the contract', async (step) => {
    const bus = busOf();
    const dying = relayOn(bus, (reached) => {
      if (reached === step) throw new Error(`killed at ${step}`);
    });
    const { workspaceId, expected } = await changeEverything({ publishSoon: () => undefined });
    await expect(dying.drain()).rejects.toThrow(`killed at ${step}`);
    await dying.close();
    const before = messagesOn(bus).length;

    const next = relayOn(bus);
    await next.drain();
    await next.close();
    expect(inOrder(logicalEvents(messagesOn(bus)))).toEqual(inOrder(expected));
    // Only a death after publishing and before taking the events off may repeat them.
    const repeats = { found: 0, published: expected.length, marked: 0 }[step];
    expect(messagesOn(bus).length - expected.length).toBe(repeats);
    expect(before > 0).toBe(step !== 'found');
    await expectNothingPending(workspaceId);
  });

  it('before it heard of them at all: the next one finds them', async () => {
    const bus = busOf();
    const { workspaceId, expected } = await changeEverything({ publishSoon: () => undefined });
    const next = relayOn(bus);
    await next.drain();
    await next.close();
    expect(inOrder(logicalEvents(messagesOn(bus)))).toEqual(inOrder(expected));
    await expectNothingPending(workspaceId);
  });
});

describe('relays that die again and again, on a bus that fails, under 20 clients', () => {
  it('P21: every committed change becomes one logical event, or several of one kind the latest', async () => {
    const bus = busOf({ seed: SEED, drop: 0.2 });
    const random = seeded(SEED);
    let [kills, words] = [0, 0];
    const start = () =>
      relayOn(bus, (step) => {
        if (random() > 0.25) return;
        kills += 1;
        throw new Error(`killed at ${step}`);
      });
    const relays = [start(), start()];
    // Each notification goes to one of two running relays. Sometimes that relay is replaced first.
    const publishSoon = (written: readonly OutboxEntry[]) => {
      const slot = (words += 1) % 2;
      if (random() < 0.2) {
        void relays[slot]?.close();
        relays[slot] = start();
      }
      relays[slot]?.publishSoon(written);
    };
    const changed = await storm(publishSoon, random);
    for (const relay of relays) await relay.close();
    const last = relayOn(bus);
    await drainUntilDone(last);

    const messages = messagesOn(bus);
    const events = logicalEvents(messages);
    // If a flag changes and changes back before a relay publishes it, only its latest state is announced.
    const [names, wanted] = [events.map(nameOf), changed.events];
    expect(inOrder([...new Set(names)])).toEqual(inOrder([...new Set(wanted)]));
    const count = (all: string[], name: string) => all.filter((other) => other === name).length;
    expect(names.filter((name) => count(names, name) > count(wanted, name))).toEqual([]);
    const states = new Set(events.map(({ emailId, data }) => JSON.stringify([emailId, data])));
    for (const emailId of changed.marked) {
      const { isRead } = await world.stored(emailId);
      expect(states).toContain(JSON.stringify([emailId, { changes: { isRead } }]));
    }
    await expectNothingPending(changed.workspaceId);
    const [sent, repeats] = [events.length, messages.length - events.length];
    process.stdout.write(
      `P21 PASS changes=${changed.events.length} events=${sent} repeats=${repeats} kills=${kills} seed=${SEED}\n`,
    );
  });
});

/** 20 clients, each with calls of its own; the answers say what was changed. */
async function storm(publishSoon: Relay['publishSoon'], random: () => number) {
  const workspace = await world.workspace();
  const { call } = workspace;
  const handlers = createChangeHandlers({ ...world, relay: { publishSoon } });
  const emailIds = await workspace.emails(40);
  const labelId = await workspace.label();
  const events: string[] = [];
  const some = () => emailIds.filter(() => random() < 0.3);
  const moves = [
    async () => {
      const { updatedIds } = await handlers.bulkMarkRead({ emailIds: some(), isRead: random() < 0.5 }, call);
      events.push(...updatedIds.map((id) => `email.updated ${id}`));
    },
    async () => {
      const { deletedIds } = await handlers.bulkDelete({ emailIds: some().slice(0, 2) }, call);
      events.push(...deletedIds.map((id) => `email.deleted ${id}`));
    },
    async () => {
      // One email at a time, so that the count says which.
      const [emailId = ''] = some();
      const { updatedCount } = await handlers.bulkApplyLabel({ emailIds: [emailId], labelId }, call);
      if (updatedCount === 1) events.push(`label.applied ${emailId}`);
    },
    async () => {
      await handlers.bulkRemoveLabel({ emailIds: some(), labelId }, call);
    },
  ];
  const client = async () => {
    for (let step = 0; step < 10; step += 1) await moves[Math.floor(random() * moves.length)]?.();
  };
  await Promise.all(Array.from({ length: 20 }, client));
  const marked = new Set(
    events.filter((name) => name.startsWith('email.updated')).map((name) => name.split(' ')[1] ?? ''),
  );
  return { workspaceId: call.workspaceId, events, marked };
}

const nameOf = ({ type, emailId }: { type: string; emailId: string }) => `${type} ${emailId}`;

async function drainUntilDone(relay: Relay): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      await relay.drain();
      await relay.close();
      return;
    } catch {
      // The bus refused again; that is what it is here for.
    }
  }
  throw new Error('still pending after 50 attempts');
}

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
