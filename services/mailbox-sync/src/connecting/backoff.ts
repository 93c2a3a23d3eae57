import { createHash } from 'node:crypto';

const FIRST_MS = 5_000;
const LONGEST_MS = 900_000;
const JITTER = 0.3;

/** A session that lasted so long was a good one: what ends it is a first failure again. */
const GOOD_MS = 60_000;
/** A provider that breaks a bound keeps its connection for as long as it likes, so that a minute proves nothing. */
const GOOD_OVER_BOUND_MS = 3_600_000;

/** The number of failures in a row, this one included. */
export function failuresAfter(before: number, ended: { lastedMs: number; isOverBound: boolean }): number {
  return ended.lastedMs > (ended.isOverBound ? GOOD_OVER_BOUND_MS : GOOD_MS) ? 1 : before + 1;
}

/** The pause after so many failures in a row. It is spread, so that mailboxes of one host do not return at once. */
export function backoffMs(mailboxId: string, failures: number): number {
  const plain = Math.min(LONGEST_MS, FIRST_MS * 2 ** (Math.max(1, failures) - 1));
  return Math.round(plain * (1 + JITTER * (2 * lot(mailboxId, failures) - 1)));
}

/** Between 0 and 1, and the same for the same question, so that a test need not draw lots. */
function lot(mailboxId: string, time: number): number {
  return createHash('sha256').update(`${mailboxId}:${time}`).digest().readUInt32BE() / 2 ** 32;
}

const LATE_WRITES_MS = 60_000;
const LATE_SPREAD_MS = 240_000;

/**
 * So long behind the claim of a mailbox no write of its earlier holder arrives any more. It is spread, because a rollout moves
 * all mailboxes at once.
 */
export function lateWritesMs(mailboxId: string): number {
  return LATE_WRITES_MS + Math.round(LATE_SPREAD_MS * lot(mailboxId, 0));
}
