import type { SendDocument } from '@postroom/mail-store/documents/send';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Only from a sure "no" that may be a "yes" later: how long to wait before each new attempt. */
const RETRIES = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR];
/** The ages of an unknown outcome at which a copy or a report is searched. After the last it stays unknown and is never sent again. */
const SEARCHES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
const LONGEST_UNSTORED = 6 * HOUR;
const LONGEST_UNSTORED_WHILE_UNAVAILABLE = 30 * SECOND;
const LONGEST_UNAVAILABLE = 24 * HOUR;

/** The wait before the next attempt; undefined once it is given up, after about a day. */
export function retryDelay(attempts: number): number | undefined {
  return RETRIES[attempts - 1];
}

/**
 * The delay before an unavailable server is asked again. It has not seen the message, so no attempt is counted. Undefined
 * when the message is given up, after a day. Its mailbox pauses by itself meanwhile.
 */
export function unavailableDelay(
  { kind, createdAt, scheduledSendAt }: Pick<SendDocument, 'kind' | 'createdAt' | 'scheduledSendAt'>,
  now: number,
): number | undefined {
  // An approved message may have waited for its person almost as long before.
  const since = kind === 'approved' ? (scheduledSendAt ?? createdAt) : createdAt;
  return now - since.getTime() < LONGEST_UNAVAILABLE ? MINUTE : undefined;
}

/** The delay before the next search: the first age that it has not reached yet. */
export function searchDelay({ updatedAt }: Pick<SendDocument, 'updatedAt'>, now: number): number | undefined {
  const age = now - updatedAt.getTime();
  const next = SEARCHES.find((read) => read > age);
  return next === undefined ? undefined : next - age;
}

/**
 * The delay before a sent message is stored again after a failure: as long as the time since it was sent. The service
 * that stores it may be available at any moment, and has not refused it.
 */
export function unstoredDelay(
  { updatedAt }: Pick<SendDocument, 'updatedAt'>,
  now: number,
  wasUnavailable: boolean,
): number {
  const longest = wasUnavailable ? LONGEST_UNSTORED_WHILE_UNAVAILABLE : LONGEST_UNSTORED;
  return Math.min(Math.max(now - updatedAt.getTime(), 5 * SECOND), longest);
}
