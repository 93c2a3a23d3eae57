import type { BusMessage, UnpublishedMessage } from './bus.ts';

const GROUP = 'postroom-dead-group';
/** A replayed message is for the group that failed on it; the others have handled it long ago. */
const ONLY_GROUP = 'postroom-only-group';
const REPLAYS = 'postroom-replays';
const CAUSE_CHARACTERS = 2_000;

/** The message as it was, with why, when, after how many attempts and for which group it was given up. */
export function deadLetter(
  message: BusMessage,
  facts: { group: string; cause: unknown; attempts: number; at: Date },
): UnpublishedMessage {
  const cause = facts.cause instanceof Error ? `${facts.cause.name}: ${facts.cause.message}` : String(facts.cause);
  return {
    ...message,
    headers: {
      ...message.headers,
      [GROUP]: facts.group,
      'postroom-dead-cause': cause.slice(0, CAUSE_CHARACTERS),
      'postroom-dead-attempts': String(facts.attempts),
      'postroom-dead-at': facts.at.toISOString(),
    },
  };
}

export interface DeadLetterReason {
  group: string;
  cause: string;
  attempts: number;
  /** When it was given up, as ISO 8601. */
  at: string;
}

/** Why it lies there; what an older version did not say is empty. */
export function deathOf({ headers }: BusMessage): DeadLetterReason {
  return {
    group: headers[GROUP] ?? '',
    cause: headers['postroom-dead-cause'] ?? '',
    attempts: Number(headers['postroom-dead-attempts'] ?? 0),
    at: headers['postroom-dead-at'] ?? '',
  };
}

/** The way back: without the marks of death, and addressed to the one group. */
export function revived(message: BusMessage): UnpublishedMessage {
  const kept = Object.entries(message.headers).filter(([name]) => !name.startsWith('postroom-dead-'));
  const group = message.headers[GROUP];
  const headers = { ...Object.fromEntries(kept), [REPLAYS]: String(replaysOf(message) + 1) };
  return { ...message, headers: { ...headers, ...(group ? { [ONLY_GROUP]: group } : {}) } };
}

export function replaysOf({ headers }: BusMessage): number {
  return Number(headers[REPLAYS] ?? 0);
}

export function isFor(group: string, message: BusMessage): boolean {
  const only = message.headers[ONLY_GROUP];
  return only === undefined || only === group;
}
