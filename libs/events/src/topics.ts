/** What the broker is told when a topic is made. Partitions bound the number of consumers, so they are generous. */
export interface TopicSettings {
  partitions: number;
  retentionMs: number;
}

const DAY_MS = 86_400_000;
/** A week is longer than any outage that anyone sleeps through; MongoDB holds the truth beyond that. */
const mail: TopicSettings = { partitions: 12, retentionMs: 7 * DAY_MS };
/** A poison message waits for a person, and its cause with it. One partition keeps the order for the replay. */
const dead: TopicSettings = { partitions: 1, retentionMs: 30 * DAY_MS };

export const topics = {
  'email.received': mail,
  'email.updated': mail,
  'email.deleted': mail,
  'email.classified': mail,
  'label.applied': mail,
} as const satisfies Record<string, TopicSettings>;

export type Topic = keyof typeof topics;
export type DeadTopic = `${Topic}.dead`;

export const topicNames = Object.keys(topics) as Topic[];

export function deadTopicOf(topic: Topic): DeadTopic {
  return `${topic}.dead`;
}

export function liveTopicOf(topic: DeadTopic): Topic {
  return topic.slice(0, -'.dead'.length) as Topic;
}

export function settingsOf(topic: Topic | DeadTopic): TopicSettings {
  return topic in topics ? topics[topic as Topic] : dead;
}
