import type { DeliveryAttemptPart, DeliveryDocument } from '@postroom/mail-store/documents/webhook';

export interface RetryPlan {
  /** The delays after the first failure and each further one; the attempt after the last is the last. */
  delaysMs: readonly number[];
  disableAfterMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const ANNOUNCED: RetryPlan = {
  delaysMs: [5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR],
  disableAfterMs: 72 * HOUR,
};

/** The most attempts that a delivery shows; replays have no end. */
export const MOST_SHOWN_ATTEMPTS = 50;

/** Stored while a process searches for what is due next. Every failure is due before it, so that none is overwritten. */
export const DUE_UNKNOWN = new Date('9999-01-01T00:00:00Z');

/** A process that died during the search leaves it to the next one. */
export const isDueAt = (dueAt: Date | null, now: number): boolean =>
  dueAt !== null && (dueAt.getTime() <= now || dueAt.getTime() === DUE_UNKNOWN.getTime());

export type Progress = Pick<DeliveryDocument, 'status' | 'failures' | 'nextAttemptAt'>;

/** A replay changes a delivery only where it succeeds: it never counts, and what waits goes on waiting. */
export function afterAttempt(
  { status, failures, nextAttemptAt }: Progress,
  { at, durationMs }: Pick<DeliveryAttemptPart, 'at' | 'durationMs'>,
  { isDelivered, isReplay }: { isDelivered: boolean; isReplay: boolean },
  { delaysMs }: RetryPlan,
): Progress {
  if (isDelivered) return { status: 'delivered', failures };
  if (isReplay) return { status, failures, ...(nextAttemptAt && { nextAttemptAt }) };
  const delay = delaysMs[failures];
  if (delay === undefined) return { status: 'abandoned', failures: failures + 1 };
  return {
    status: 'pending',
    failures: failures + 1,
    nextAttemptAt: new Date(at.getTime() + durationMs + delay),
  };
}
