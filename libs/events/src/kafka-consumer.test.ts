import { describe, expect, it } from '@jest/globals';
import type { Admin, Kafka } from 'kafkajs';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { openKafkaConsumer } from './kafka-consumer.ts';

const unknownTopic = () => Object.assign(new Error('not here'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' });

/** A member of kafkajs whose subscription fails so many times, and who counts its open connections. */
function failingMember(error: () => Error, times: number) {
  const clock = manualClock();
  let connections = 0;
  let subscriptions = 0;
  const member = {
    events: {},
    on: () => () => undefined,
    connect: async () => void (connections += 1),
    subscribe: async () => {
      subscriptions += 1;
      if (subscriptions <= times) throw error();
    },
    run: async () => undefined,
    disconnect: () => disconnect(),
  };
  let disconnect = async () => void (connections -= 1);
  const hang = () => void (disconnect = () => new Promise(() => undefined));
  const open = () =>
    openKafkaConsumer(
      { group: 'g', topic: 'email.received', onMessage: async () => undefined },
      {
        kafka: { consumer: () => member } as unknown as Kafka,
        admin: {} as Admin,
        clock,
        log: silentLog,
        topic: 'email.received',
        groupId: 'g.email.received',
      },
    );
  return { clock, open, hang, connections: () => connections, subscriptions: () => subscriptions };
}

describe('a consumer of Kafka', () => {
  it('that cannot be started leaves no connection behind, however often it is tried', async () => {
    const { open, connections } = failingMember(() => new Error('not authorized'), Infinity);
    await expect(open()).rejects.toThrow('not authorized');
    expect(connections()).toBe(0);
  });

  it('starts when the broker that it asks hears of a new topic later than the others', async () => {
    const { open, clock, connections, subscriptions } = failingMember(unknownTopic, 3);
    const opening = open();
    for (let step = 0; step < 4; step += 1) await clock.advance(500);
    const consumer = await opening;
    expect([subscriptions(), connections()]).toEqual([4, 1]);
    await consumer.close();
  });

  it('ends within five seconds while its broker does not answer', async () => {
    const { open, clock, hang } = failingMember(() => new Error('never'), 0);
    const consumer = await open();
    hang();
    let isClosed = false;
    void consumer.close().then(() => (isClosed = true));
    await clock.advance(0);
    await clock.advance(5_000);
    expect(isClosed).toBe(true);
  });

  it('fails after half a minute when the topic stays unknown', async () => {
    const { open, clock, connections } = failingMember(unknownTopic, Infinity);
    const failing = expect(open()).rejects.toThrow('not here');
    for (let step = 0; step < 60; step += 1) await clock.advance(500);
    await failing;
    expect(connections()).toBe(0);
  });
});
