import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createMetrics } from '@postroom/runtime/metrics';
import { NotNow } from './bus.ts';
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
      if (waits-- > 0) throw new NotNow(1_000);
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
  const page = await metrics.render();
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
    await metrics.render();
    return /^postroom_events_lag\{group="g",topic="email.received",.*\} (\d+)$/m.exec(await metrics.render())?.[1];
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
