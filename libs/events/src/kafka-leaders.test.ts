import { describe, expect, it } from '@jest/globals';
import { type Kafka, KafkaJSConnectionError, type Producer, type ProducerConfig } from 'kafkajs';
import { createKafkaProducer } from './kafka-producer.ts';

interface Produced {
  topicData: { topic: string; partitions: { partition: number; messages: { value: Buffer }[] }[] }[];
}

const none = () => undefined;
const quiet = { debug: none, info: none, warn: none, error: none };
const logger = { ...quiet, namespace: () => quiet };
const done = async () => undefined;
/** The producer calls these members of the cluster, too. They need no behaviour here. */
const calm = {
  retry: {},
  connect: done,
  disconnect: done,
  refreshMetadata: done,
  refreshMetadataIfNecessary: done,
  addMultipleTargetTopics: done,
  isConnected: () => true,
  removeBroker: none,
};

/** The producer of kafkajs with two brokers. Each leads every second partition, until one gives its own away. */
function twoBrokers() {
  const written: string[] = [];
  const leaderOf = new Map(Array.from({ length: 12 }, (_, partition) => [partition, 1 + (partition % 2)]));
  let isBreaking = false;
  const broker = (nodeId: number) => ({
    nodeId,
    initProducerId: async () => ({ producerId: 1, producerEpoch: 0 }),
    produce: async ({ topicData }: Produced) => {
      if (nodeId === 2 && isBreaking) {
        for (const partition of leaderOf.keys()) leaderOf.set(partition, 1);
        throw new KafkaJSConnectionError('Closed connection');
      }
      const partitions = topicData.flatMap((topic) => topic.partitions);
      for (const { messages } of partitions) written.push(...messages.map(({ value }) => String(value)));
      const answers = partitions.map(({ partition }) => ({ partition, errorCode: 0, baseOffset: '0' }));
      return { topics: [{ topicName: 't', partitions: answers }] };
    },
  });
  const brokers = new Map([1, 2].map((nodeId) => [nodeId, broker(nodeId)]));
  const partitionMetadata = () => [...leaderOf].map(([partitionId, leader]) => ({ partitionId, leader, isr: [1, 2] }));
  const { prototype } = require('kafkajs/src/cluster') as { prototype: { findLeaderForPartitions: unknown } };
  const cluster = {
    ...calm,
    findControllerBroker: async () => brokers.get(1),
    findBroker: async ({ nodeId }: { nodeId: string }) => brokers.get(Number(nodeId)),
    findTopicPartitionMetadata: partitionMetadata,
    findLeaderForPartitions: prototype.findLeaderForPartitions,
  };
  const createProducer = require('kafkajs/src/producer') as (options: object) => Producer;
  const producer = (config?: ProducerConfig) =>
    createProducer({ ...config, cluster, logger, retry: { initialRetryTime: 1, retries: 5 } });
  return { kafka: { producer } satisfies Pick<Kafka, 'producer'>, written, break: () => (isBreaking = true) };
}

const messages = Array.from({ length: 40 }, (_, n) => {
  return { id: `m${n}`, key: `k${n}`, type: 't', occurredAt: new Date(0), value: Buffer.from(`m${n}`) };
});
const all = messages.map(({ id }) => id).toSorted();

describe('a producer on two brokers', () => {
  it('brings each message to the leader of its partition', async () => {
    const { kafka, written } = twoBrokers();
    const producer = createKafkaProducer(kafka);
    await producer.publish('t', messages);
    expect(written.toSorted()).toEqual(all);
    await producer.close();
  });

  it('does not call published what nobody took, as its leader went while the other broker answered', async () => {
    const brokers = twoBrokers();
    const producer = createKafkaProducer(brokers.kafka);
    brokers.break();
    await expect(producer.publish('t', messages)).rejects.toThrow(/no broker took what is for partition \d/);
    await producer.publish('t', messages);
    expect([...new Set(brokers.written)].toSorted()).toEqual(all);
    await producer.close();
  });
});
