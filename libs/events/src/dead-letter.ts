import { Event } from '@postroom/proto/postroom/v1/events';
import type { BusMessage, GivenUpMessage, UnpublishedMessage } from './bus.ts';
import type { Topic } from './topics.ts';

/** A replayed message is for the group that gave it up. The other groups have handled it. */
const ONLY_GROUP = 'postroom-only-group';
const REPLAYS = 'postroom-replays';
const CAUSE_CHARACTERS = 2_000;

export function givenUpMessage(
  { headers, type: _type, ...message }: BusMessage,
  facts: { topic: Topic; group: string; cause: unknown; attempts: number; givenUpAt: Date },
): GivenUpMessage {
  const cause = facts.cause instanceof Error ? `${facts.cause.name}: ${facts.cause.message}` : String(facts.cause);
  const replays = replaysOf({ headers });
  return { ...message, ...facts, cause: cause.slice(0, CAUSE_CHARACTERS), workspaceId: workspaceOf(message), replays };
}

function workspaceOf({ value }: Pick<BusMessage, 'value'>): string {
  try {
    return Event.decode(value).workspaceId;
  } catch {
    return '';
  }
}

/** The message once more, for the group that gave it up and no other. */
export function replayOf({ id, key, topic, occurredAt, value, group, replays }: GivenUpMessage): UnpublishedMessage {
  return { id, key, type: topic, occurredAt, value, headers: { [ONLY_GROUP]: group, [REPLAYS]: String(replays + 1) } };
}

export function replaysOf({ headers }: Pick<BusMessage, 'headers'>): number {
  return Number(headers[REPLAYS] ?? 0);
}

export function isFor(group: string, message: BusMessage): boolean {
  const only = message.headers[ONLY_GROUP];
  return only === undefined || only === group;
}
