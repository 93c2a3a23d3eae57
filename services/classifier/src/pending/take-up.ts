import { isAway, isHanging } from '@postroom/errors/away';
import { abortedByAny } from '@postroom/runtime/abort';
import type { Counter } from '@postroom/runtime/metrics';
import type { Log } from '@postroom/runtime/log';
import { classify, type ClassifyDeps } from '../classify.ts';
import { ModelBusy, ModelUnavailable } from '../model/availability.ts';
import { createLease, type Lease, type LeaseDeps, type LeaseEnd, TakenByAnother } from './lease.ts';
import type { PendingEmail } from './pending-store.ts';

export type TakeUpDeps = ClassifyDeps &
  LeaseDeps & {
    log: Log;
    failures: Counter;
  };

/** What became of an email. One that is gone is done. */
export type Outcome = 'done' | 'waits' | 'quarantined';

/** With the time limit below, an email that always fails ends in quarantine within fifteen minutes. */
const PAUSES_MS = [5_000, 15_000, 30_000, 60_000];
export const MOST_ATTEMPTS = PAUSES_MS.length + 1;
/** A good answer, its repair and a reply, each as slow as usual models are at worst. */
const LONGEST_ATTEMPT_MS = 60_000;
const SERVICE_UNAVAILABLE_MS = 2_000;
/** Behind an answer that the model is busy: who asks again at once only makes it busier. */
const BUSY_MS = 10_000;
/** From then on an email that a busy model has not answered has had an attempt: it may be too large for any moment. */
const LONGEST_BUSY_MS = 6 * 60 * 60_000;
const LONGEST_CAUSE = 300;

/**
 * One attempt at one email. It never throws: what is to become of the email is stored with it, so that nothing has to
 * wait for it here.
 */
export async function takeUp(deps: TakeUpDeps, email: PendingEmail, closing: AbortSignal): Promise<Outcome> {
  const { workspaceId } = email;
  const lease = createLease(deps, email);
  const over = new AbortController();
  const ended = new AbortController();
  void deps.clock.sleep(LONGEST_ATTEMPT_MS, ended.signal).then(
    () => over.abort(new Error(`not classified within ${LONGEST_ATTEMPT_MS} ms`)),
    () => undefined,
  );
  const at = email.receivedAt;
  const ends = [closing, lease.lost, over.signal];
  try {
    await abortedByAny(ends, (signal) =>
      classify(deps, { workspaceId, email, isBackfill: false, at, begin: lease.begin, signal }),
    );
    return 'done';
  } catch (error) {
    const cause: unknown = ends.find(({ aborted }) => aborted)?.reason ?? error;
    if (cause instanceof TakenByAnother) return 'waits';
    return await store(deps, email, { lease, cause, isClosing: closing.aborted });
  } finally {
    ended.abort();
    lease.stop();
  }
}

interface Failed {
  lease: Lease;
  cause: unknown;
  isClosing: boolean;
}

async function store({ clock, log, failures }: TakeUpDeps, email: PendingEmail, failed: Failed): Promise<Outcome> {
  const { lease, cause } = failed;
  const end = endAfter(email, failed, clock.now());
  const outcome = end.quarantine ? 'quarantined' : 'waits';
  const { waitMs, attempts } = end;
  const facts = { err: cause, emailId: email._id, attempts };
  if (end.quarantine) log.error(facts, 'an email is quarantined: its classification has failed too often');
  else if (attempts !== undefined)
    log.warn({ ...facts, waitMs }, 'an email could not be classified; it is tried again');
  if (attempts !== undefined) failures.add(1, { outcome: end.quarantine ? 'quarantined' : 'retry' });
  await lease.end(end).catch((error: unknown) => {
    log.warn({ err: error, emailId: email._id }, 'the failure of an email is not stored; it is tried again soon');
  });
  return outcome;
}

function endAfter(email: PendingEmail, { cause, isClosing }: Failed, now: number): LeaseEnd {
  const { classification, awaitsClassificationSince: since } = email;
  if (isClosing) return { waitMs: 0 };
  if (cause instanceof ModelUnavailable) return { waitMs: cause.retryAfterMs };
  if (isAway(cause) || isHanging(cause)) return { waitMs: SERVICE_UNAVAILABLE_MS };
  if (cause instanceof ModelBusy && since && now - since.getTime() < LONGEST_BUSY_MS)
    return { waitMs: Math.max(BUSY_MS, cause.retryAfterMs) };
  const attempts = (classification?.attempts ?? 0) + 1;
  const waitMs = PAUSES_MS[attempts - 1];
  return { waitMs: waitMs ?? 0, attempts, cause: wordsOf(cause), quarantine: waitMs === undefined };
}

function wordsOf(cause: unknown): string {
  return (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).slice(0, LONGEST_CAUSE);
}
