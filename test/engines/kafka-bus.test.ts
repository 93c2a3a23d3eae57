import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Bus } from '@postroom/events/bus';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { openKafka } from '@postroom/events/kafka-client';
import { systemClock } from '@postroom/runtime/clock';
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
});
