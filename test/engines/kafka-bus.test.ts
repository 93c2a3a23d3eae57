import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Bus, BusMessage } from '@postroom/events/bus';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { openKafka } from '@postroom/events/kafka-client';
import { resolveDead } from '@postroom/events/kafka-dead-letters';
import { type Clock, systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { skipAloud } from '../support/skips.ts';
import { busContract } from './bus-contract.ts';
import { eventually } from './eventually.ts';
import { openTcpProxy } from './tcp-proxy.ts';

// A real engine on a busy machine takes its time.
jest.setTimeout(60_000);

const brokers = process.env['KAFKA_BROKERS']?.split(',');
if (!brokers) skipAloud('events on Kafka (KAFKA_BROKERS is not given)');

(brokers ? describe : describe.skip)('events on Kafka', () => {
  const settings = { brokers: brokers ?? [], clientId: 'test' };
  const prefix = `test-${randomUUID().slice(0, 8)}.`;
  let bus: Bus;
  beforeAll(async () => {
    bus = await openKafkaBus({ ...settings, prefix, clock: systemClock, log: silentLog });
  });
  afterAll(async () => {
    await bus.close();
    const admin = openKafka(settings, silentLog).admin();
    await admin.connect();
    await admin.deleteTopics({ topics: (await admin.listTopics()).filter((name) => name.startsWith(prefix)) });
    await admin.disconnect();
  });

  busContract(() => bus);

  it('that cannot be opened leaves no connection behind', async () => {
    const [host = '', port] = (brokers?.[0] ?? '').split(':');
    const proxy = await openTcpProxy(host, Number(port));
    const there = { ...settings, brokers: [`127.0.0.1:${proxy.port}`], clock: systemClock, log: silentLog };
    await expect(openKafkaBus({ ...there, prefix: 'no name of a topic/' })).rejects.toThrow();
    await eventually(() => expect(proxy.connections()).toBe(0));
    await proxy.close();
  });

  it('settles what was asked for by whoever comes while somebody else settles other dead letters', async () => {
    const kafka = openKafka(settings, silentLog);
    const admin = kafka.admin();
    await admin.connect();
    const topic = `${prefix}draft.sent.dead`;
    const facts = { key: 'one', type: 'draft.sent', occurredAt: new Date(), value: Buffer.alloc(0) };
    await bus.publish(
      'draft.sent.dead',
      ['one', 'other'].map((id) => ({ ...facts, id })),
    );
    let begin: () => void = () => undefined;
    let end: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const over = new Promise<void>((resolve) => (end = resolve));
    const keep = (letters: readonly BusMessage[]) => bus.publish('draft.sent.dead', letters);
    const deps = { kafka, admin, clock: systemClock, groupId: `${prefix}replay.draft.sent.dead`, topic, keep };
    const slowly = async () => {
      begin();
      await over;
    };
    const keepLate = (letters: readonly BusMessage[]) => over.then(() => keep(letters));
    const first = resolveDead({ ...deps, resolve: slowly, keep: keepLate }, ['one']);
    await begun;
    const resolved: string[] = [];
    let second: Promise<number> | undefined;
    const resolveLate = async (letters: readonly BusMessage[]) => void resolved.push(...letters.map(({ id }) => id));
    const waiting = new Promise<void>((resolve) => {
      const sleep: Clock['sleep'] = (ms, signal) => (resolve(), systemClock.sleep(ms, signal));
      second = resolveDead({ ...deps, resolve: resolveLate, clock: { ...systemClock, sleep } }, ['other']);
    });
    await waiting;
    end();
    expect([await first, await second, resolved]).toEqual([1, 1, ['other']]);
    await admin.disconnect();
  });

  it.each([0, 700])(
    'replayed by two at once, the second after %d ms: both end, and every dead letter is on its way',
    async (gap) => {
      const other = await openKafkaBus({ ...settings, prefix, clock: systemClock, log: silentLog });
      const ids = Array.from({ length: 1_500 }, (_, at) => `replayed-${gap}-${at}`);
      const arrived = new Set<string>();
      const consumer = await bus.subscribe({
        group: `replayed-${gap}`,
        topic: 'label.applied',
        concurrency: 50,
        onMessage: async ({ id }) => {
          if (id.startsWith(`replayed-${gap}-`)) arrived.add(id);
        },
      });
      const facts = { type: 'label.applied', occurredAt: new Date(), value: Buffer.alloc(0) };
      await bus.publish(
        'label.applied.dead',
        ids.map((id) => ({ ...facts, id, key: id })),
      );
      const late = systemClock.sleep(gap).then(() => other.replay('label.applied.dead'));
      const counts = await Promise.all([bus.replay('label.applied.dead'), late]);
      expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(ids.length);
      expect(await bus.replay('label.applied.dead')).toBe(0);
      await eventually(() => expect(arrived.size).toBe(ids.length));
      await consumer.close();
      await other.close();
    },
  );
});
