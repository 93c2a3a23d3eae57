import { isUnavailable, isHanging } from '@postroom/errors/unavailable';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import type { Counter } from '@postroom/runtime/metrics';
import type { Log } from '@postroom/runtime/log';
import { attemptWithin } from '../classify/attempt-within.ts';
import { classify, type ClassifyDeps } from '../classify/classify.ts';
import { createLease, type WorkLease, TakenByAnother } from '../classify/lease.ts';
import { ModelBusy, ModelUnavailable } from '../model/availability.ts';
import type { PendingEmail } from './pending-store.ts';

export type EmailAttemptDeps = Omit<ClassifyDeps, 'clock'> & {
  clock: Clock;
  mailboxWrite: Pick<Client<typeof MailboxWriteServiceDefinition>, 'postponeClassification'>;
  log: Log;
  failures: Counter;
};

/** Given after a failure of the email. */
interface Failure {
  attempts: number;
  cause: string;
  quarantine: boolean;
}
interface End {
  waitMs: number;
  /** Absent where the email is not to blame. */
  failure?: Failure;
}

/** The result for an email. A deleted email is done. */
export type AttemptOutcome = 'done' | 'waits' | 'quarantined';

/** With the time limit below, an email that always fails ends in quarantine within fifteen minutes. */
const PAUSES_MS = [5_000, 15_000, 30_000, 60_000];
const MOST_ATTEMPTS = PAUSES_MS.length + 1;
const SERVICE_UNAVAILABLE_MS = 2_000;
/** Behind an answer that the model is busy: who asks again at once only makes it busier. */
const BUSY_MS = 10_000;
/** From then on an email that a busy model has not answered has had an attempt: it may be too large for any moment. */
const LONGEST_BUSY_MS = 6 * 60 * 60_000;
const LONGEST_CAUSE = 300;
/** Stored with an attempt when it begins, and replaced when it ends. */
const CRASHED = 'the classifier ended during the attempt';
/** All emails of a process have its death in common. Two deaths in a row make an email suspect. */
const CRASHES_OF_A_SUSPECT = 2;

/** The last attempt was counted, and ended with its process. */
class CrashedAttempt extends Error {}

/** The email may be what ends its classifier, so one such email is worked on at a time. */
export function isCrashSuspect(email: PendingEmail): boolean {
  return email.classification?.cause === CRASHED && attemptsOf(email) >= CRASHES_OF_A_SUSPECT;
}

/** Its attempt goes on in some process, or ended with it a moment ago. */
export function isInWork({ classification }: PendingEmail, now: number): boolean {
  return classification?.cause === CRASHED && (classification.notBefore?.getTime() ?? 0) > now;
}

/** Its process ended four times with other emails in hand. The last attempt tells whether the email ends it. */
export function isLastAttemptOfSuspect(email: PendingEmail): boolean {
  return isCrashSuspect(email) && attemptsOf(email) === MOST_ATTEMPTS - 1;
}

/**
 * One attempt at one email. It never throws: what is to become of the email is stored with it, so that nothing has to
 * wait for it here. The attempt is counted before the work, because an email that ends its process stores nothing after.
 */
export async function attemptEmail(
  deps: EmailAttemptDeps,
  email: PendingEmail,
  closing: AbortSignal,
): Promise<AttemptOutcome> {
  const { workspaceId } = email;
  const lease = leaseOf(deps, email);
  const attempts = attemptsOf(email) + 1;
  const begin = () => lease.begin({ attempts, cause: CRASHED });
  try {
    if (attempts > MOST_ATTEMPTS) throw new CrashedAttempt(CRASHED);
    await attemptWithin(deps.clock, [closing, lease.lost], (signal) =>
      classify(deps, { workspaceId, email, isBackfill: false, begin, signal }),
    );
    return 'done';
  } catch (cause) {
    if (cause instanceof TakenByAnother) return 'waits';
    return await store(deps, email, { lease, cause, isClosing: closing.aborted });
  } finally {
    lease.stop();
  }
}

function leaseOf({ clock, mailboxWrite }: EmailAttemptDeps, email: PendingEmail): WorkLease<Failure> {
  const { workspaceId, _id: emailId } = email;
  return createLease<Failure>(clock, email.classification?.notBefore, async (times, failure) => {
    const request = { emailId, quarantine: false, ...times, ...failure };
    return (await mailboxWrite.postponeClassification(request, { workspaceId })).isChanged;
  });
}

interface Failed {
  lease: WorkLease<Failure>;
  cause: unknown;
  isClosing: boolean;
}

async function store(
  { clock, log, failures }: EmailAttemptDeps,
  email: PendingEmail,
  failed: Failed,
): Promise<AttemptOutcome> {
  const { lease, cause } = failed;
  const { waitMs, failure } = endAfterFailure(email, failed, clock.now());
  const outcome = failure?.quarantine ? 'quarantined' : 'waits';
  const facts = { err: cause, emailId: email._id, attempts: failure?.attempts };
  if (failure?.quarantine) log.error(facts, 'an email is quarantined: its classification has failed too often');
  else if (failure) log.warn({ ...facts, waitMs }, 'an email could not be classified; it is tried again');
  if (failure) failures.add(1, { outcome: failure.quarantine ? 'quarantined' : 'retry' });
  await lease.end(waitMs, failure ?? unchangedFailure(email)).catch((error: unknown) => {
    log.warn({ err: error, emailId: email._id }, 'the failure of an email is not stored; it is tried again soon');
  });
  return outcome;
}

/** The email is not to blame: its attempt does not count. */
function unchangedFailure({ classification }: PendingEmail): Partial<Failure> {
  return { attempts: classification?.attempts ?? 0, cause: classification?.cause ?? '' };
}

function endAfterFailure(email: PendingEmail, { cause, isClosing }: Failed, now: number): End {
  const { awaitsClassificationSince: since } = email;
  if (isClosing) return { waitMs: 0 };
  if (cause instanceof ModelUnavailable) return { waitMs: cause.retryAfterMs };
  if (isUnavailable(cause) || isHanging(cause)) return { waitMs: SERVICE_UNAVAILABLE_MS };
  if (cause instanceof ModelBusy && since && now - since.getTime() < LONGEST_BUSY_MS)
    return { waitMs: Math.max(BUSY_MS, cause.retryAfterMs) };
  const attempts = Math.min(attemptsOf(email) + 1, MOST_ATTEMPTS);
  const waitMs = cause instanceof CrashedAttempt ? undefined : PAUSES_MS[attempts - 1];
  return {
    waitMs: waitMs ?? 0,
    failure: { attempts, cause: describeCause(cause), quarantine: waitMs === undefined },
  };
}

const attemptsOf = ({ classification }: PendingEmail): number => classification?.attempts ?? 0;

function describeCause(cause: unknown): string {
  return (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).slice(0, LONGEST_CAUSE);
}
