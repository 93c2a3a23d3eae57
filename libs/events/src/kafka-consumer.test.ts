import { describe, expect, it } from '@jest/globals';
import type { Admin, Kafka } from 'kafkajs';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { openKafkaConsumer } from './kafka-consumer.ts';

describe('a consumer of Kafka', () => {
  it('that cannot be started leaves no connection behind, however often it is tried', async () => {
    let connections = 0;
    const member = {
      events: {},
      on: () => () => undefined,
      connect: async () => void (connections += 1),
      subscribe: async () => Promise.reject(new Error('no such topic')),
      disconnect: async () => void (connections -= 1),
    };
    const opening = openKafkaConsumer(
      { group: 'g', topic: 'email.received', onMessage: async () => undefined },
      {
        kafka: { consumer: () => member } as unknown as Kafka,
        admin: {} as Admin,
        clock: systemClock,
        log: silentLog,
        topic: 'email.received',
        groupId: 'g.email.received',
        toDeadLetter: async () => undefined,
      },
    );
    await expect(opening).rejects.toThrow('no such topic');
    expect(connections).toBe(0);
  });
});
