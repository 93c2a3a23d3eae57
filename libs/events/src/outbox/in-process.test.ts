import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import type { BusMessage, DeadLetters } from '../bus.ts';
import { memoryBus } from '../memory-bus.ts';
import { memoryDeadLetters } from '../memory-dead-letters.test-support.ts';
import { deleted, memoryOutbox, received } from './memory-outbox.test-support.ts';
import { createRelay } from './relay.ts';

let clock: ManualClock;
let outbox: ReturnType<typeof memoryOutbox>;
const endless: (() => void)[] = [];
beforeEach(() => {
  clock = manualClock();
  outbox = memoryOutbox();
});

afterEach(() => {
  for (const end of endless.splice(0)) end();
});

const MINUTE = 60_000;
/** Enough time for some sweeps, in steps, because each sleeper wakes at its own moment. */
async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 500) await clock.advance(500);
}

/** One life of a process with the in-process bus. It is killed by forgetting it: no method of it is called again. */
function startProcess(
  handle: (message: BusMessage) => Promise<void> = async () => undefined,
  deadLetters: DeadLetters = memoryDeadLetters(),
) {
  const handled: string[] = [];
  const bus = memoryBus({
    clock,
    log: silentLog,
    groupsOf: (topic) => (topic === 'email.received' ? ['classifier'] : []),
  });
  let isKilled = false;
  const store = {
    ...outbox.store,
    markPublished: async (...given: Parameters<typeof outbox.store.markPublished>) => {
      if (!isKilled) await outbox.store.markPublished(...given);
    },
  };
  let commands = 0;
  const counted = {
    ...store,
    claim: (...given: Parameters<typeof store.claim>) => (
      (commands += 1),
      isKilled ? Promise.resolve([]) : store.claim(...given)
    ),
  };
  const relay = createRelay({ store: counted, bus, context: { clock, log: silentLog } });
  const subscribe = () =>
    bus.subscribe({
      group: 'classifier',
      topic: 'email.received',
      deadLetters,
      concurrency: 4,
      orderBy: ({ id }) => id,
      retry: { attempts: 2 },
      onMessage: async (message) => {
        await handle(message);
        if (!isKilled) handled.push(message.id);
      },
    });
  return { relay, bus, handled, subscribe, commands: () => commands, kill: () => void (isKilled = true) };
}

/** A handler that does not end within its test; ended after it, so that no timer is left behind. */
const never = () => new Promise<void>((resolve) => endless.push(resolve));
const addPending = (id: string) => outbox.addPending(id, { received: received(id) }, clock.date());

describe('an event on the in-process bus', () => {
  it('that was not handled before a kill is handled within ten seconds of the next start', async () => {
    const first = startProcess(never);
    await first.subscribe();
    first.relay.publishSoon([addPending('one')]);
    await pass(20 * MINUTE);
    expect(outbox.pending()).toEqual(['one']);
    first.kill();

    const second = startProcess();
    await second.subscribe();
    await pass(10_000);
    expect(second.handled).toEqual(['one']);
    expect(outbox.pending()).toEqual([]);
  });

  it('stays in its outbox until the group that handles it has subscribed and handled it', async () => {
    const { relay, subscribe, handled } = startProcess();
    relay.publishSoon([addPending('one')]);
    await pass(MINUTE);
    expect(outbox.pending()).toEqual(['one']);
    await subscribe();
    await pass(1_000);
    expect([handled, outbox.pending()]).toEqual([['one'], []]);
  });

  it('leaves its outbox at once where no group handles its type', async () => {
    const { relay } = startProcess();
    relay.publishSoon([outbox.addPending('one', { deleted: deleted('one') }, clock.date())]);
    await clock.advance(1);
    expect(outbox.pending()).toEqual([]);
  });

  it('leaves its outbox when its dead letter is stored, and not before', async () => {
    let isDatabaseDown = true;
    const stored = memoryDeadLetters();
    const add: DeadLetters['add'] = async (message) => {
      if (isDatabaseDown) throw new Error('no database');
      await stored.add(message);
    };
    const { relay, subscribe } = startProcess(() => Promise.reject(new Error('poison')), { add });
    await subscribe();
    relay.publishSoon([addPending('one')]);
    await pass(MINUTE);
    expect([stored.ids(), outbox.pending()]).toEqual([[], ['one']]);
    isDatabaseDown = false;
    await pass(MINUTE);
    expect([stored.ids(), outbox.pending()]).toEqual([['one'], []]);
  });

  it('leaves its outbox with the next sweep where the database refused when it was handled', async () => {
    const { markPublished } = outbox.store;
    let isDown = true;
    outbox.store.markPublished = async (...given) => {
      if (isDown) throw new Error('no database');
      await markPublished(...given);
    };
    const { relay, subscribe, handled } = startProcess();
    await subscribe();
    relay.publishSoon([addPending('one')]);
    await pass(1_000);
    isDown = false;
    await pass(MINUTE);
    expect([handled, outbox.pending()]).toEqual([['one'], []]);
  });

  it('is delivered once while its handler takes minutes, and costs a claim per sweep', async () => {
    let deliveries = 0;
    const { relay, subscribe, commands, handled } = startProcess(async () => {
      deliveries += 1;
      await clock.sleep(119_000);
    });
    await subscribe();
    relay.publishSoon(Array.from({ length: 40 }, (_, n) => addPending(`e${n}`)));
    await pass(10 * MINUTE);
    const sweeps = (10 * MINUTE) / 5_000;
    expect(commands()).toBeLessThan(sweeps * 1.2);
    await pass(20 * MINUTE);
    expect([deliveries, handled.length, outbox.pending()]).toEqual([40, 40, []]);
  });

  it('does not keep back another of its document, whose publishing failed', async () => {
    const { relay, bus, subscribe } = startProcess(never);
    await subscribe();
    const publish = bus.publish.bind(bus);
    let failures = 0;
    bus.publish = async (topic, ...rest) => {
      if (topic === 'email.deleted' && (failures += 1) <= 3) throw new Error('no broker');
      return publish(topic, ...rest);
    };
    relay.publishSoon([
      outbox.addPending('one', { received: received('one'), deleted: deleted('other') }, clock.date()),
    ]);
    await pass(MINUTE);
    expect(bus.messagesIn('email.deleted')).toHaveLength(1);
  });

  it('does not put off another that its document gets while a sweep reads it', async () => {
    const { claim } = outbox.store;
    let isNew = true;
    outbox.store.claim = async (...given) => {
      const found = await claim(...given);
      const events = { received: received('one'), deleted: deleted('other') };
      if (found.length > 0 && isNew) outbox.addPending('one', events, clock.date());
      isNew &&= found.length === 0;
      return found;
    };
    const { relay, bus, subscribe } = startProcess(never);
    await subscribe();
    relay.publishSoon([addPending('one')]);
    await pass(MINUTE);
    expect(bus.messagesIn('email.deleted')).toHaveLength(1);
  });

  it('does not hold up the events after it while it waits', async () => {
    const { relay, subscribe, handled } = startProcess((message) =>
      message.id === 'slow' ? never() : Promise.resolve(),
    );
    await subscribe();
    const slow = { ...received('slow'), key: 'other mailbox' };
    relay.publishSoon([outbox.addPending('slow', { received: slow }, clock.date())]);
    await clock.advance(1);
    for (const id of ['a', 'b']) {
      relay.publishSoon([addPending(id)]);
      await clock.advance(1);
    }
    expect(handled).toEqual(['a', 'b']);
    expect(outbox.pending()).toEqual(['slow']);
  });

  it('is not delivered again when its document has another event to publish', async () => {
    let deliveries = 0;
    const { relay, subscribe } = startProcess(() => ((deliveries += 1), never()));
    await subscribe();
    relay.publishSoon([addPending('one')]);
    await clock.advance(1);
    outbox.addPending('one', { received: received('one'), deleted: deleted('gone') }, clock.date());
    await pass(MINUTE);
    expect(deliveries).toBe(1);
    await expect(outbox.store.claim(new Date(clock.now() + 60 * MINUTE), clock.date(), 10)).resolves.toMatchObject([
      { events: { received: { id: 'one' } } },
    ]);
  });
});
