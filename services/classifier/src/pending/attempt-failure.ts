import { isUnavailable, isHanging, pauseWhileUnavailable } from '@postroom/errors/unavailable';
import { ModelBusy, ModelUnavailable } from '../model/availability.ts';
import type { PendingEmail } from './pending-store.ts';

/** Given after a failure of the email. */
export interface Failure {
  attempts: number;
  cause: string;
  quarantine: boolean;
}
interface End {
  waitMs: number;
  /** Absent where the email is not to blame. */
  failure?: Failure;
}

/** With the time limit of an attempt, an email that always fails ends in quarantine within fifteen minutes. */
const PAUSES_MS = [5_000, 15_000, 30_000, 60_000];
export const MOST_ATTEMPTS = PAUSES_MS.length + 1;
/** Behind an answer that the model is busy: who asks again at once only makes it busier. */
const BUSY_MS = 10_000;
/** From then on an email that a busy model has not answered has had an attempt: it may be too large for any moment. */
const LONGEST_BUSY_MS = 6 * 60 * 60_000;
const LONGEST_CAUSE = 300;
/** Stored with an attempt when it begins, and replaced when it ends. */
export const CRASHED = 'the classifier ended during the attempt';
/** All emails of a process have its death in common. Two deaths in a row make an email suspect. */
const CRASHES_OF_A_SUSPECT = 2;

/** The last attempt was counted, and ended with its process. */
export class CrashedAttempt extends Error {}

/** The email may be what ends its classifier, so one such email is worked on at a time. */
export function isCrashSuspect(email: PendingEmail): boolean {
  return email.classification?.cause === CRASHED && attemptsOf(email) >= CRASHES_OF_A_SUSPECT;
}

/** Its attempt goes on in some process, or ended with it a moment ago. */
export function isInWork({ classification }: PendingEmail, now: number): boolean {
  return classification?.cause === CRASHED && (classification.notBefore?.getTime() ?? 0) > now;
}

/** Its process ended four times with other emails in work. The last attempt tells whether the email ends it. */
export function isLastAttemptOfSuspect(email: PendingEmail): boolean {
  return isCrashSuspect(email) && attemptsOf(email) === MOST_ATTEMPTS - 1;
}

/** The email is not to blame: its attempt does not count. */
export function unchangedFailure({ classification }: PendingEmail): Partial<Failure> {
  return { attempts: classification?.attempts ?? 0, cause: classification?.cause ?? '' };
}

export function endAfterFailure(
  email: PendingEmail,
  { cause, isClosing }: { cause: unknown; isClosing: boolean },
  now: number,
): End {
  const waitedMs = now - (email.awaitsClassificationSince?.getTime() ?? 0);
  if (isClosing) return { waitMs: 0 };
  if (cause instanceof ModelUnavailable) return { waitMs: cause.retryAfterMs };
  if (isUnavailable(cause) || isHanging(cause)) return { waitMs: pauseWhileUnavailable(waitedMs) };
  if (cause instanceof ModelBusy && waitedMs < LONGEST_BUSY_MS)
    return { waitMs: Math.max(BUSY_MS, cause.retryAfterMs) };
  const attempts = Math.min(attemptsOf(email) + 1, MOST_ATTEMPTS);
  const waitMs = cause instanceof CrashedAttempt ? undefined : PAUSES_MS[attempts - 1];
  return {
    waitMs: waitMs ?? 0,
    failure: { attempts, cause: describeCause(cause), quarantine: waitMs === undefined },
  };
}

export const attemptsOf = ({ classification }: PendingEmail): number => classification?.attempts ?? 0;

function describeCause(cause: unknown): string {
  return (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).slice(0, LONGEST_CAUSE);
}
