import { eventTable, eventTypes, type EventType, isEventType, type TopicSettings } from './event-table.ts';

/** Each type of event has a topic of its own, by the same name. */
export type Topic = EventType;
export type DeadTopic = `${Topic}.dead`;

export const topicNames: readonly Topic[] = eventTypes;

/** A poison message waits for a person, and its cause with it. One partition keeps the order for the replay. */
const dead: TopicSettings = { partitions: 1, retentionMs: 30 * 86_400_000 };

export function deadTopicOf(topic: Topic): DeadTopic {
  return `${topic}.dead`;
}

export function liveTopicOf(topic: DeadTopic): Topic {
  return topic.slice(0, -'.dead'.length) as Topic;
}

export function settingsOf(topic: Topic | DeadTopic): TopicSettings {
  return isEventType(topic) ? eventTable[topic].topic : dead;
}
