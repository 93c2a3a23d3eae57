import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Bus } from '@postroom/events/bus';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { busContract } from './bus-contract.ts';

const brokers = process.env['KAFKA_BROKERS']?.split(',');
if (!brokers) console.log('skipped: events on Kafka (KAFKA_BROKERS is not given)');

(brokers ? describe : describe.skip)('events on Kafka', () => {
  let bus: Bus;
  beforeAll(async () => {
    const prefix = `test-${randomUUID().slice(0, 8)}.`;
    bus = await openKafkaBus({ brokers: brokers ?? [], clientId: 'test', prefix, clock: systemClock, log: silentLog });
  });
  afterAll(() => bus.close());

  busContract(() => bus);
});
