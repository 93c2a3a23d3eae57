import { eventTypes, type EventType } from './event-table.ts';

/** Each type of event has a topic of its own, by the same name. */
export type Topic = EventType;

export const topicNames: readonly Topic[] = eventTypes;
