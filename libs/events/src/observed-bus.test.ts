import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createMetrics } from '@postroom/runtime/metrics';
import { createReadiness } from '@postroom/runtime/readiness';
import { RetryLater } from './bus.ts';
import { memoryBus } from './memory-bus.ts';
import { observedBus } from './observed-bus.ts';

it('counts what is tried again and what is given up, by group and topic; what only waits counts as neither', async () => {
  const clock = manualClock();
  const metrics = createMetrics('test');
  const bus = observedBus(memoryBus({ clock, log: silentLog }), { log: silentLog, metrics });
  let waits = 2;
  await bus.subscribe({
    group: 'g',
    topic: 'email.received',
    onMessage: async ({ id }) => {
      if (id === 'poison') throw new Error('always');
      if (waits-- > 0) throw new RetryLater(1_000);
    },
  });
  const message = (id: string) => ({
    id,
    key: id,
    type: 'email.received',
    occurredAt: new Date(),
    value: Buffer.alloc(0),
  });
  await bus.publish('email.received', [message('poison'), message('patient')]);
  for (let n = 0; n < 40; n += 1) await clock.advance(1_000);
  const page = await metrics.page();
  expect(page).toMatch(/^postroom_events_retries_total\{group="g",topic="email.received",.*\} 4$/m);
  expect(page).toMatch(/^postroom_events_dead_letters_total\{group="g",topic="email.received",.*\} 1$/m);
  await bus.close();
});

it('tells what waits for a group, and that nothing does any more', async () => {
  const metrics = createMetrics('test');
  const clock = manualClock();
  const inner = memoryBus({ clock, log: silentLog });
  const bus = observedBus(inner, { log: silentLog, metrics });
  const consumer = await bus.subscribe({ group: 'g', topic: 'email.received', onMessage: async () => undefined });
  const lag = async () => {
    // A page shows what was known of the one before.
    await metrics.page();
    return /^postroom_events_lag\{group="g",topic="email.received",.*\} (\d+)$/m.exec(await metrics.page())?.[1];
  };
  consumer.pause();
  const events = ['a', 'b', 'c'].map((id) => {
    return { id, key: id, type: 'email.received', occurredAt: new Date(), value: Buffer.alloc(0) };
  });
  await bus.publish('email.received', events);
  expect(await lag()).toBe('3');
  consumer.resume();
  await inner.idle();
  expect(await lag()).toBe('0');
  await bus.close();
});

it('counts what the bus acknowledged, and nothing that it refused', async () => {
  const metrics = createMetrics('test');
  const inner = memoryBus({ clock: manualClock(), log: silentLog });
  let isThere = true;
  const publish: typeof inner.publish = async (...given) => {
    if (!isThere) throw new Error('no leader');
    return inner.publish(...given);
  };
  const bus = observedBus({ ...inner, publish }, { log: silentLog, metrics });
  const event = { id: 'a', key: 'a', type: 'email.received', occurredAt: new Date(), value: Buffer.alloc(0) };
  await bus.publish('email.received', [event, { ...event, id: 'b' }]);
  isThere = false;
  await expect(bus.publish('email.received', [event])).rejects.toThrow('no leader');
  expect(await metrics.page()).toMatch(/^postroom_events_published_total\{topic="email.received",.*\} 2$/m);
  await bus.close();
});

it('is not ready while a consumer is being started anew, and does not ask after one that was closed', async () => {
  const inner = memoryBus({ clock: manualClock(), log: silentLog });
  let isWell = true;
  const subscribe: typeof inner.subscribe = async (subscription) => {
    return { ...(await inner.subscribe(subscription)), healthy: () => isWell };
  };
  const readiness = createReadiness();
  const bus = observedBus({ ...inner, subscribe }, { log: silentLog, readiness });
  const consumer = await bus.subscribe({ group: 'g', topic: 'email.received', onMessage: async () => undefined });
  const failing = async () => (await readiness.check()).failed;
  expect(await failing()).toEqual([]);
  isWell = false;
  expect(await failing()).toEqual(['events']);
  await consumer.close();
  expect(await failing()).toEqual([]);
  await bus.close();
});
