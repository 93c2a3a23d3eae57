import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createMetrics } from '@postroom/runtime/metrics';
import type { Bus } from '../bus.ts';
import { memoryBus } from '../memory-bus.ts';
import { deleted, memoryOutbox, received } from './memory-outbox.test-support.ts';
import { createRelay, type Relay } from './relay.ts';

let clock: ManualClock;
let outbox: ReturnType<typeof memoryOutbox>;
let relays: Relay[];
/** Ids in the order in which the bus was asked to publish them. */
let asked: string[];
beforeEach(() => {
  clock = manualClock();
  outbox = memoryOutbox();
  relays = [];
  asked = [];
});

type Publish = Bus['publish'];

function startRelay(answer: (topic: string) => Promise<void> = async () => undefined): Relay {
  const publish: Publish = async (topic, messages, onSafe) => {
    asked.push(...messages.map(({ id }) => id));
    await answer(topic);
    for (const { id } of messages) onSafe?.(id);
  };
  const relay = createRelay({ store: outbox.store, bus: { publish }, context: { clock, log: silentLog } });
  relays.push(relay);
  return relay;
}

const ago = (ms: number) => new Date(clock.now() - ms);
const MINUTE = 60_000;
/** Time enough for some sweeps, in steps, because each sleeper wakes at its own moment. */
async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 500) await clock.advance(500);
}

describe('events that have waited for long are published', () => {
  it('behind a thousand events of a topic that fails', async () => {
    for (let n = 0; n < 1_000; n += 1) outbox.addPending(`failing${n}`, { deleted: deleted(`d${n}`) }, ago(2 * MINUTE));
    outbox.addPending('sound', { received: received('r') }, ago(MINUTE));
    startRelay(async (topic) => {
      if (topic === 'email.deleted') throw new Error('no leader');
    });
    await pass(6_000);
    expect(asked).toContain('r');
    expect(outbox.pending()).toHaveLength(1_000);
    expect(outbox.pending()).not.toContain('sound');
  });

  it('behind a topic that never answers at all', async () => {
    for (let n = 0; n < 1_000; n += 1) outbox.addPending(`hanging${n}`, { deleted: deleted(`d${n}`) }, ago(2 * MINUTE));
    outbox.addPending('sound', { received: received('r') }, ago(MINUTE));
    startRelay((topic) => (topic === 'email.deleted' ? new Promise(() => undefined) : Promise.resolve()));
    await pass(12_000);
    expect(outbox.pending()).not.toContain('sound');
    // And it is asked for one batch, not for more and more of them.
    expect(asked).toHaveLength(500 + 1);
  });

  it('behind 500 that are younger and belong to somebody else still', async () => {
    for (let n = 0; n < 500; n += 1) outbox.addPending(`young${n}`, { received: received(`y${n}`) }, ago(0));
    outbox.addPending('old', { received: received('r') }, ago(MINUTE));
    startRelay();
    const again = () => {
      // Somebody goes on changing them, so that they stay young.
      for (let n = 0; n < 500; n += 1) outbox.addPending(`young${n}`, { received: received(`y${n}`) }, ago(0));
    };
    for (let second = 0; second < 6; second += 1) {
      again();
      await pass(1_000);
    }
    expect(asked).toEqual(['r']);
  });
});

describe('an event is published once', () => {
  it('on a bus that takes a minute, with three replicas: nobody takes what another is publishing', async () => {
    const slow = async () => clock.sleep(MINUTE);
    const [writer] = [startRelay(slow), startRelay(slow), startRelay(slow)];
    writer.publishSoon([outbox.addPending('one', { received: received('r') }, clock.date())]);
    await pass(3 * MINUTE);
    expect(asked).toEqual(['r']);
    expect(outbox.pending()).toEqual([]);
  });

  it('when it waited in line so long that another replica came by', async () => {
    let answer: () => void = () => undefined;
    const writer = startRelay(() =>
      asked.length === 1 ? new Promise((resolve) => (answer = resolve)) : Promise.resolve(),
    );
    writer.publishSoon([outbox.addPending('one', { received: received('r1') }, clock.date())]);
    await clock.advance(1);
    writer.publishSoon([outbox.addPending('two', { received: received('r2') }, clock.date())]);
    startRelay();
    await pass(30_000);
    expect(asked).toEqual(['r1', 'r2']);
    answer();
    await pass(1_000);
    expect(asked).toEqual(['r1', 'r2']);
    expect(outbox.pending()).toEqual([]);
  });

  it('when three replicas sweep at once', async () => {
    for (let n = 0; n < 1_200; n += 1) outbox.addPending(`e${n}`, { received: received(`r${n}`) }, ago(MINUTE));
    const slow = async () => clock.sleep(7_000);
    for (let n = 0; n < 3; n += 1) startRelay(slow);
    await pass(2 * MINUTE);
    expect(asked).toHaveLength(1_200);
    expect(new Set(asked).size).toBe(1_200);
    expect(outbox.pending()).toEqual([]);
  });
});

describe('the relay', () => {
  it('publishes what it is told of without a sweep, and a topic that fails holds up no other', async () => {
    const relay = startRelay(async (topic) => {
      if (topic === 'email.deleted') throw new Error('no leader');
    });
    relay.publishSoon([
      outbox.addPending('one', { deleted: deleted('d') }, clock.date()),
      outbox.addPending('two', { received: received('r') }, clock.date()),
    ]);
    await clock.advance(1);
    await clock.advance(1);
    expect(outbox.pending()).toEqual(['one']);
  });

  it('takes up what another process wrote and never published, once its lease is over', async () => {
    outbox.addPending('one', { received: received('r') }, clock.date());
    startRelay();
    await pass(4_500);
    expect(asked).toEqual([]);
    await pass(6_000);
    expect(asked).toEqual(['r']);
  });

  it('never takes off an event that has taken the place of the one it published', async () => {
    let answer: () => void = () => undefined;
    const relay = startRelay(() => new Promise((resolve) => (answer = resolve)));
    relay.publishSoon([outbox.addPending('one', { received: received('r1') }, clock.date())]);
    await clock.advance(1);
    outbox.addPending('one', { received: received('r2') }, clock.date());
    answer();
    await clock.advance(1);
    expect(outbox.pending()).toEqual(['one']);
  });

  it('tells how many documents have an unpublished event, by the collection they are in', async () => {
    const metrics = createMetrics('mailbox-write');
    const pending = async () => /^postroom_events_owed(.*)$/m.exec(await metrics.page())?.[1];
    const bus = memoryBus({ clock, log: silentLog });
    const relay = createRelay({ store: outbox.store, bus, context: { clock, log: silentLog, metrics } });
    relays.push(relay);
    const written = ['one', 'two'].map((id) => outbox.addPending(id, { received: received(id) }, clock.date()));
    expect(await pending()).toBe('{collection="memory",service="mailbox-write"} 2');
    relay.publishSoon(written);
    await clock.advance(1);
    expect(await pending()).toBe('{collection="memory",service="mailbox-write"} 0');
  });

  it('leaves an event of a type that it does not know to whoever wrote it', async () => {
    outbox.addPending('one', { later: { ...received('r'), type: 'email.summarised' } }, ago(MINUTE));
    startRelay();
    await pass(20_000);
    expect(asked).toEqual([]);
    expect(outbox.pending()).toEqual(['one']);
  });
});
