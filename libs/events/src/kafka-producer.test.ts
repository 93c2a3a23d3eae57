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
 * A broker and kafkajs, as far as producers go that are not idempotent: a batch whose answer is lost is written, and
 * kafkajs sends it again a moment later or gives up.
 */
function forgetfulBroker(answerOf: (text: string) => Answer) {
  const written: string[] = [];
  let producers = 0;
  const producer = (): Producer => {
    producers += 1;
    const send = async ({ topic, messages }: ProducerRecord) => {
      const text = messages.map(({ value }) => `${topic} ${String(value)}`).join();
      for (let answer = answerOf(text); ; answer = 'heard') {
        written.push(text);
        if (answer === 'lost') throw new Error('the connection broke');
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
  it('goes on after a batch that failed, with the same connections', async () => {
    const broker = forgetfulBroker((text) => (text === 't two' ? 'lost' : 'heard'));
    const producer = createKafkaProducer(broker.kafka);
    await producer.publish('t', [message('one')]);
    await expect(producer.publish('t', [message('two')])).rejects.toThrow('the connection broke');
    await producer.publish('t', [message('three')]);
    expect(broker.written).toEqual(['t one', 't two', 't three']);
    expect(broker.producers()).toBe(1);
    await producer.close();
  });

  it('sends the next batch of a topic after the repetition of the one before', async () => {
    const broker = forgetfulBroker((text) => (text === 't one' ? 'lost once' : 'heard'));
    const producer = createKafkaProducer(broker.kafka);
    await Promise.all(['one', 'two', 'three'].map((id) => producer.publish('t', [message(id)])));
    expect(broker.written).toEqual(['t one', 't one', 't two', 't three']);
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

  it('leaves no connection behind when its opening fails after it has connected', async () => {
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

  it('connects for each topic alone, so that a topic without a leader delays no other', async () => {
    const broker = forgetfulBroker(() => 'heard');
    const producer = createKafkaProducer(broker.kafka);
    await producer.publish('one', [message('a')]);
    await producer.publish('other', [message('b')]);
    await producer.publish('one', [message('c')]);
    expect(broker.producers()).toBe(2);
    await producer.close();
  });

  it('connects again for the next message when the first connection failed', async () => {
    const broker = forgetfulBroker(() => 'heard');
    let refusals = 1;
    const connect = async () => {
      if (refusals-- > 0) throw new Error('no broker');
    };
    const producer = createKafkaProducer({ producer: () => ({ ...broker.kafka.producer(), connect }) });
    await expect(producer.publish('t', [message('one')])).rejects.toThrow('no broker');
    await producer.publish('t', [message('two')]);
    expect(broker.written).toEqual(['t two']);
    await producer.close();
  });
});
