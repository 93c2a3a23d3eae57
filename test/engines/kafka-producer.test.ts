import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ISocketFactory, Kafka, logLevel } from 'kafkajs';
import type { Bus } from '@postroom/events/bus';
import { openKafkaBus } from '@postroom/events/kafka-bus';
import { createKafkaProducer } from '@postroom/events/kafka-producer';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { removeTopics } from '../support/kafka-topics.ts';
import { skipAloud } from '../support/skips.ts';
import { eventually } from './eventually.ts';

// A real engine on a busy machine takes its time.
jest.setTimeout(60_000);

const brokers = process.env['KAFKA_BROKERS']?.split(',');
if (!brokers) skipAloud('answers of Kafka that are lost (KAFKA_BROKERS is not given)');

const NOBODYS_PORT = 1;

/** Connections whose answers can be kept back, while what is asked on them is still done, and that can be refused. */
function openDeafSockets() {
  const sockets = new Set<Socket>();
  let refused = false;
  const socketFactory: ISocketFactory = ({ host, port, onConnect }) => {
    const socket = connect({ host, port: refused ? NOBODYS_PORT : port }, onConnect);
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket));
  };
  return {
    socketFactory,
    sockets,
    refuse: (refuses: boolean) => void (refused = refuses),
    deafen: () => {
      for (const socket of sockets) socket.pause();
    },
    cut: () => {
      for (const socket of sockets) socket.destroy(new Error('cut off'));
    },
  };
}

(brokers ? describe : describe.skip)('a producer whose answers are lost', () => {
  const prefix = `test-${randomUUID().slice(0, 8)}.`;
  let bus: Bus;
  beforeAll(async () => {
    bus = await openKafkaBus({ brokers: brokers ?? [], clientId: 'test', prefix, clock: systemClock, log: silentLog });
  });
  afterAll(async () => {
    await bus.close();
    await removeTopics(brokers ?? [], prefix);
  });

  it('brings every event of which it says so to the topic, whoever else publishes to it at that moment', async () => {
    const arrived = new Set<string>();
    await bus.subscribe({ group: 'deaf', topic: 'label.applied', onMessage: async ({ id }) => void arrived.add(id) });
    const { socketFactory, deafen, cut } = openDeafSockets();
    const retry = { initialRetryTime: 50, retries: 20 };
    const kafka = new Kafka({ brokers: brokers ?? [], socketFactory, retry, logLevel: logLevel.NOTHING });
    const producer = createKafkaProducer(kafka);
    const ids = Array.from({ length: 50 }, (_, at) => `deaf-${at}`);
    const publish = (id: string) =>
      producer.publish(`${prefix}label.applied`, [
        { id, key: 'one', type: 'label.applied', occurredAt: new Date(), value: Buffer.from(id) },
      ]);
    await publish('deaf-first');
    for (let at = 0; at < ids.length; at += 5) {
      deafen();
      const publishing = ids.slice(at, at + 5).map(publish);
      await pause(100);
      cut();
      await Promise.all(publishing);
    }
    await eventually(() => expect(ids.filter((id) => !arrived.has(id))).toEqual([]));
    await producer.close();
  });

  it('closed while it tries to send leaves no connection behind when the broker is there again', async () => {
    const { socketFactory, sockets, refuse, cut } = openDeafSockets();
    const retry = { initialRetryTime: 50, maxRetryTime: 50, retries: 200 };
    const kafka = new Kafka({ brokers: brokers ?? [], socketFactory, retry, logLevel: logLevel.NOTHING });
    const producer = createKafkaProducer(kafka);
    const one = { id: 'late', key: 'one', type: 'label.applied', occurredAt: new Date(), value: Buffer.from('late') };
    await producer.publish(`${prefix}label.applied`, [one]);
    refuse(true);
    cut();
    const publishing = producer.publish(`${prefix}label.applied`, [one]);
    await eventually(() => expect(sockets.size).toBe(0));
    await producer.close();
    refuse(false);
    await publishing.catch(() => undefined);
    await eventually(() => expect(sockets.size).toBe(0));
  });
});
