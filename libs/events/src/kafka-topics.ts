import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { eventTable } from './event-table.ts';
import { topicNames } from './topics.ts';

/**
 * Makes the topics that are missing, before anything reads or writes. Those that exist are the operator's: partitions
 * are never added here, because that would send a key's next message to another partition than its last.
 */
export async function ensureTopics(admin: Admin, prefix: string): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = topicNames.filter((topic) => !existing.has(prefix + topic));
  if (missing.length === 0) return;
  // Another service may be making them at this very moment, which createTopics takes as done.
  await admin.createTopics({
    timeout: 30_000,
    waitForLeaders: false,
    topics: missing.map((topic) => {
      const { partitions, retentionMs } = eventTable[topic].topic;
      return {
        topic: prefix + topic,
        numPartitions: partitions,
        replicationFactor: -1,
        configEntries: [{ name: 'retention.ms', value: String(retentionMs) }],
      };
    }),
  });
  await untilKnown(
    admin,
    missing.map((topic) => prefix + topic),
  );
}

const KNOWN_WITHIN_MS = 30_000;

/**
 * A topic is made before every broker knows of it, and kafkajs's own waiting takes that moment's answer, "no such
 * topic", for final: a service that starts beside a busy broker would not come up.
 */
async function untilKnown(admin: Admin, topics: string[]): Promise<void> {
  const end = Date.now() + KNOWN_WITHIN_MS;
  while (!(await areLed(admin, topics))) {
    if (Date.now() > end) throw new Error(`topics without a leader: ${topics.join(', ')}`);
    await pause(100);
  }
}

async function areLed(admin: Admin, topics: string[]): Promise<boolean> {
  try {
    const found = (await admin.fetchTopicMetadata({ topics })).topics;
    return found.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
  } catch (error) {
    if ((error as { retriable?: boolean }).retriable) return false;
    throw error;
  }
}

interface PartitionLag {
  partition: number;
  high: bigint;
  lag: number;
}

/** The lag of a group in each partition. A group without a commit still has to read everything that the topic keeps. */
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
