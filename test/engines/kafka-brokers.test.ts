import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Bus, BusMessage, UnpublishedMessage } from '@postroom/events/bus';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { controlBroker } from '../faults/support/engines-control.ts';
import { removeTopics } from '../support/kafka-topics.ts';
import { skipAloud } from '../support/skips.ts';
import { eventually } from './eventually.ts';

jest.setTimeout(240_000);

const { KAFKA_BROKERS = '', KAFKA_CLUSTER_CONTROL = '' } = process.env;
const isGiven = Boolean(KAFKA_BROKERS && KAFKA_CLUSTER_CONTROL);
if (!isGiven) skipAloud('three brokers that are taken away (KAFKA_BROKERS or KAFKA_CLUSTER_CONTROL is not given)');

const brokers = KAFKA_BROKERS.split(',');
const topic = 'email.received' as const;
const PUBLISHERS = 6;
const BATCH = 5;
/** A publisher repeats for a while, and the session of a consumer that was cut off has to run out. */
const LATEST_MS = 90_000;
/** The events of one publisher share a key and are numbered in their order. */
const eventOf = (mark: string, publisher: number, n: number) => ({
  id: `${mark}-${publisher}-${n}`,
  key: `${publisher}`,
  type: topic,
  occurredAt: new Date(1_790_000_000_000),
  value: Buffer.from(`${n}`),
  headers: { mark },
});

/** Each fault lasts until the leaders have moved, while the publishers go on. */
const FAULTS = {
  'a broker killed': async () => {
    await controlBroker('kill', 1);
    await pause(4_000);
    await controlBroker('start', 1);
  },
  'a broker that hangs': async () => {
    await controlBroker('pause', 2);
    await pause(6_000);
    await controlBroker('resume', 2);
  },
  'a rolling restart of all brokers': async () => {
    for (const broker of [3, 1, 2] as const) {
      await controlBroker('stop', broker);
      await controlBroker('start', broker);
      await pause(1_000);
    }
  },
};

interface Told {
  published: number;
  repeated: number;
  slowestMs: number;
}

(isGiven ? describe : describe.skip)('events on three brokers', () => {
  const prefix = `test-${randomUUID().slice(0, 8)}.`;
  const buses: Bus[] = [];
  const open = async () => {
    const bus = await openKafkaBus({ brokers, clientId: 'test', prefix, clock: systemClock, log: silentLog });
    buses.push(bus);
    return bus;
  };
  beforeAll(async () => {
    await open();
    await open();
  });
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    await removeTopics(brokers, prefix);
  });

  /** Publishes until the work ends, as the relay does: a batch that failed is published again under the same ids. */
  const publishDuring = async (mark: string, work: () => Promise<void>) => {
    let isOver = false;
    let slowestMs = 0;
    const publishAll = async (publisher: number): Promise<number> => {
      const bus = buses[publisher % buses.length] as Bus;
      const isPublished = (batch: UnpublishedMessage[]) =>
        bus.publish(topic, batch).then(
          () => true,
          () => false,
        );
      let n = 0;
      while (!isOver) {
        const batch = Array.from({ length: BATCH }, () => eventOf(mark, publisher, n++));
        const since = Date.now();
        while (!(await isPublished(batch))) await pause(100);
        slowestMs = Math.max(slowestMs, Date.now() - since);
        await pause(50);
      }
      return n;
    };
    const publishing = Promise.all(Array.from({ length: PUBLISHERS }, (_, publisher) => publishAll(publisher)));
    await work().finally(() => (isOver = true));
    return { counts: await publishing, slowestMs };
  };

  const play = async (fault: () => Promise<void>): Promise<Told> => {
    const mark = randomUUID().slice(0, 8);
    const firsts = Array.from({ length: PUBLISHERS }, () => new Set<number>());
    let deliveries = 0;
    const onMessage = async ({ headers, key, value }: BusMessage) => {
      if (headers['mark'] !== mark) return;
      deliveries += 1;
      firsts[Number(key)]?.add(Number(Buffer.from(value)));
    };
    const subscription = { group: mark, topic, concurrency: 10, onMessage } as const;
    const consumers = await Promise.all(buses.map((bus) => bus.subscribe(subscription)));
    const { counts, slowestMs } = await publishDuring(mark, fault);
    const expected = counts.map((count) => Array.from({ length: count }, (_, n) => n));
    // A set keeps the order in which its members came first.
    await eventually(() => expect(firsts.map((numbers) => [...numbers])).toEqual(expected), LATEST_MS, 500);
    await Promise.all(consumers.map((consumer) => consumer.close()));
    const published = counts.reduce((sum, count) => sum + count, 0);
    return { published, repeated: deliveries - published, slowestMs };
  };

  it('a service that opens beside another one can read its topics at once', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, open));
    const consumers = others.map((bus, at) =>
      bus.subscribe({ group: `early-${at}`, topic, onMessage: async () => undefined }),
    );
    await Promise.all(consumers.map(async (consumer) => (await consumer).close()));
  });

  it.each(Object.entries(FAULTS))(
    '%s under load: each published event is handled, and the order of each key is kept',
    async (name, fault) => {
      const { published, repeated, slowestMs } = await play(fault);
      process.stdout.write(
        `brokers PASS fault="${name}" published=${published} lost=0 repeated=${repeated} slowestPublish=${slowestMs}ms\n`,
      );
    },
  );
});
