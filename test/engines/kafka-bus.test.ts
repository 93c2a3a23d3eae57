import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import type { Bus } from '@postroom/events/bus';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { openKafka } from '@postroom/events/kafka-client';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { skipAloud } from '../support/skips.ts';
import { busContract } from './bus-contract.ts';

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
});
