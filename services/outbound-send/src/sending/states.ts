import type { SendDocument, SendState } from '@postroom/mail-store/documents/send';

/** Nothing more happens to these. */
export const OVER: readonly SendState[] = ['recorded', 'failed', 'canceled'];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Only from a sure "no" that may be a "yes" later: how long to wait before each new attempt. */
const RETRIES = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR];
/** How old an unknown outcome is at each look for a copy or a report; after the last it stays unknown, and is never sent again. */
const LOOKS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
const LONGEST_UNSTORED = 6 * HOUR;
const LONGEST_UNSTORED_WHILE_AWAY = 30 * SECOND;
const LONGEST_AWAY = 24 * HOUR;
/** The states in which somebody works on a send, and says so again and again. */
export const UNDER_WAY: readonly SendState[] = ['connecting', 'data_started', 'data_ending', 'accepted'];
/** Whoever has not said so for this long is taken to have died. */
export const LEASE_MS = MINUTE;
export const KEPT_MS = 90 * 24 * HOUR;

/** The wait before the next attempt; undefined once it is given up, after about a day. */
export function retryDelay(attempts: number): number | undefined {
  return RETRIES[attempts - 1];
}

/**
 * The wait before a server that was not there is asked again: it has said nothing about the message, so that this was no
 * attempt at it. Undefined once the message is given up, after a day. Its mailbox rests by itself meanwhile.
 */
export function awayDelay({ createdAt }: Pick<SendDocument, 'createdAt'>, now: number): number | undefined {
  return now - createdAt.getTime() < LONGEST_AWAY ? MINUTE : undefined;
}

/** The wait before the next look: the first that its age has not passed yet. */
export function lookDelay({ updatedAt }: Pick<SendDocument, 'updatedAt'>, now: number): number | undefined {
  const age = now - updatedAt.getTime();
  const next = LOOKS.find((look) => look > age);
  return next === undefined ? undefined : next - age;
}

/**
 * The wait before a message that was sent is stored, which failed until now: as long again as it has been sent. Who was
 * not there to store it may be there at any moment, and has said nothing against it.
 */
export function unstoredDelay({ updatedAt }: Pick<SendDocument, 'updatedAt'>, now: number, wasAway: boolean): number {
  const longest = wasAway ? LONGEST_UNSTORED_WHILE_AWAY : LONGEST_UNSTORED;
  return Math.min(Math.max(now - updatedAt.getTime(), 5 * SECOND), longest);
}
