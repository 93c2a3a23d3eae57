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

type Answer = 'heard' | 'lost once' | 'lost';

/**
 * A broker and kafkajs, as far as idempotent producers go: it takes each number of each producer once. A send that did
 * not hear its answer gives its number back, for whoever sends next, and asks again a moment later or gives up.
 */
function numberingBroker(answerOf: (text: string) => Answer) {
  const written: string[] = [];
  const numbers = new Set<string>();
  let producers = 0;
  const producer = (): Producer => {
    const own = (producers += 1);
    const counted = new Map<string, number>();
    const send = async ({ topic, messages }: ProducerRecord) => {
      const text = messages.map(({ value }) => `${topic} ${String(value)}`).join();
      for (let answer = answerOf(text); ; answer = 'heard') {
        const number = counted.get(topic) ?? 0;
        const isNew = !numbers.has(`${own} ${topic} ${number}`);
        numbers.add(`${own} ${topic} ${number}`);
        if (isNew) written.push(text);
        if (answer === 'lost') throw new Error('the connection broke');
        if (answer === 'heard') counted.set(topic, number + 1);
        if (answer === 'heard') return [];
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const nothing = async () => undefined;
    return { connect: nothing, disconnect: nothing, send } as unknown as Producer;
  };
  return { kafka: { producer } satisfies Pick<Kafka, 'producer'>, written, producers: () => producers };
}

describe('a producer on Kafka', () => {
  it('that failed is not used again: the broker would take what comes next for a repeat and drop it in silence', async () => {
    const broker = numberingBroker((text) => (text === 't two' ? 'lost' : 'heard'));
    const producer = createKafkaProducer(broker.kafka);
    await producer.publish('t', [message('one')]);
    await expect(producer.publish('t', [message('two')])).rejects.toThrow('the connection broke');
    await producer.publish('t', [message('three')]);
    expect(broker.written).toEqual(['t one', 't two', 't three']);
    expect(broker.producers()).toBe(2);
    await producer.close();
  });

  it('sends nothing of a topic while it asks again for the answer to what came before, under whose number it would go', async () => {
    const broker = numberingBroker((text) => (text === 't one' ? 'lost once' : 'heard'));
    const producer = createKafkaProducer(broker.kafka);
    await Promise.all(['one', 'two', 'three'].map((id) => producer.publish('t', [message(id)])));
    expect(broker.written).toEqual(['t one', 't two', 't three']);
    await producer.close();
  });

  it('takes no more for a topic than so much, however long its broker hangs, and takes some when it answers', async () => {
    let answer: () => void = () => undefined;
    const hanging = new Promise<[]>((resolve) => (answer = () => resolve([])));
    const nothing = async () => undefined;
    const hung = { connect: nothing, disconnect: nothing, send: () => hanging } as unknown as Producer;
    const producer = createKafkaProducer({ producer: () => hung });
    const many = (at: number) => producer.publish('t', Array(500).fill(message(`${at}`)));
    const outcomes = Promise.allSettled(Array.from({ length: 100 }, (_, at) => many(at)));
    await expect(many(100)).rejects.toThrow('10000 messages wait for t');
    answer();
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    await many(101);
    await producer.close();
  });

  it('whose opening fails after it has connected leaves no connection behind', async () => {
    let connections = 0;
    const refused = {
      connect: async () => {
        connections += 1;
        throw new Error('no number for this producer');
      },
      disconnect: async () => void (connections -= 1),
    } as unknown as Producer;
    const producer = createKafkaProducer({ producer: () => refused });
    await expect(producer.publish('t', [message('one')])).rejects.toThrow('no number');
    expect(connections).toBe(0);
  });

  it('is one topic’s alone: the failure of one topic gives up nobody else’s', async () => {
    const broker = numberingBroker((text) => (text.startsWith('failing') ? 'lost' : 'heard'));
    const producer = createKafkaProducer(broker.kafka);
    await producer.publish('sound', [message('one')]);
    await expect(producer.publish('failing', [message('two')])).rejects.toThrow();
    await producer.publish('sound', [message('three')]);
    expect(broker.producers()).toBe(2);
    await producer.close();
  });
});
