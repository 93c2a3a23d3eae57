import { describe, expect, it } from '@jest/globals';
import type { Kafka, Producer, ProducerRecord } from 'kafkajs';
import { createKafkaProducer } from './kafka-producer.ts';

const message = (id: string) => ({
  id,
  key: 'k',
  type: 'email.received',
  occurredAt: new Date(0),
  value: Buffer.from(id),
});

/**
 * A broker as far as idempotent producers go: it takes each number of each producer once. A producer that did not hear
 * its answer counts on from where it was, and what it sends next under an old number is dropped without a word.
 */
function numberingBroker(isHeard: (topic: string) => boolean) {
  const written: string[] = [];
  const numbers = new Set<string>();
  let producers = 0;
  const producer = (): Producer => {
    const own = (producers += 1);
    const counted = new Map<string, number>();
    const send = async ({ topic, messages }: ProducerRecord) => {
      const number = counted.get(topic) ?? 0;
      const isNew = !numbers.has(`${own} ${topic} ${number}`);
      numbers.add(`${own} ${topic} ${number}`);
      if (isNew) written.push(...messages.map(({ value }) => `${topic} ${String(value)}`));
      if (!isHeard(topic)) throw new Error('the connection broke');
      counted.set(topic, number + 1);
      return [];
    };
    const nothing = async () => undefined;
    return { connect: nothing, disconnect: nothing, send } as unknown as Producer;
  };
  return { kafka: { producer } satisfies Pick<Kafka, 'producer'>, written, producers: () => producers };
}

describe('a producer on Kafka', () => {
  it('that failed is not used again: the broker would take what comes next for a repeat and drop it in silence', async () => {
    let heard = 0;
    const broker = numberingBroker(() => (heard += 1) !== 2);
    const producer = createKafkaProducer(broker.kafka);
    await producer.publish('t', [message('one')]);
    await expect(producer.publish('t', [message('two')])).rejects.toThrow('the connection broke');
    await producer.publish('t', [message('three')]);
    await producer.publish('t', [message('two')]);
    expect(broker.written).toEqual(['t one', 't two', 't three', 't two']);
    expect(broker.producers()).toBe(2);
    await producer.close();
  });

  it('is one topic’s alone: the failure of one topic gives up nobody else’s', async () => {
    const broker = numberingBroker((topic) => topic !== 'failing');
    const producer = createKafkaProducer(broker.kafka);
    await producer.publish('sound', [message('one')]);
    await expect(producer.publish('failing', [message('two')])).rejects.toThrow();
    await producer.publish('sound', [message('three')]);
    expect(broker.producers()).toBe(2);
    await producer.close();
  });
});
