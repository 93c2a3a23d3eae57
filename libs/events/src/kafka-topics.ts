import type { Admin } from 'kafkajs';
import { deadTopicOf, settingsOf, topicNames } from './topics.ts';

/**
 * Makes the topics that are missing, before anything reads or writes. Those that exist are the operator's: partitions
 * are never added here, because that would send a key's next message to another partition than its last.
 */
export async function ensureTopics(admin: Admin, prefix: string): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const wanted = topicNames.flatMap((topic) => [topic, deadTopicOf(topic)] as const);
  const missing = wanted.filter((topic) => !existing.has(prefix + topic));
  if (missing.length === 0) return;
  // Another service may be making them at this very moment, which createTopics takes as done.
  await admin.createTopics({
    timeout: 30_000,
    waitForLeaders: true,
    topics: missing.map((topic) => {
      const { partitions, retentionMs } = settingsOf(topic);
      return {
        topic: prefix + topic,
        numPartitions: partitions,
        replicationFactor: -1,
        configEntries: [{ name: 'retention.ms', value: String(retentionMs) }],
      };
    }),
  });
}

export interface PartitionLag {
  partition: number;
  high: bigint;
  lag: number;
}

/** What a group has still to read. A group that committed nothing has everything that is still there to read. */
export async function lagOf(admin: Admin, groupId: string, topic: string): Promise<PartitionLag[]> {
  const [ends, groups] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  const committed = new Map(
    groups.flatMap(({ partitions }) => partitions.map((at) => [at.partition, BigInt(at.offset)])),
  );
  return ends.map(({ partition, high, low }) => {
    const done = committed.get(partition) ?? -1n;
    const from = done > BigInt(low) ? done : BigInt(low);
    return { partition, high: BigInt(high), lag: Number(BigInt(high) - from) };
  });
}
