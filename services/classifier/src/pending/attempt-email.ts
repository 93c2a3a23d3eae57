import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import type { Counter } from '@postroom/runtime/metrics';
import type { Log } from '@postroom/runtime/log';
import { attemptWithin } from '../classify/attempt-within.ts';
import { classify, type ClassifyDeps } from '../classify/classify.ts';
import { createLease, type WorkLease, TakenByAnother } from '../classify/lease.ts';
import {
  attemptsOf,
  CRASHED,
  CrashedAttempt,
  endAfterFailure,
  type Failure,
  MOST_ATTEMPTS,
  unchangedFailure,
} from './attempt-failure.ts';
import type { PendingEmail } from './pending-store.ts';

export type EmailAttemptDeps = Omit<ClassifyDeps, 'clock'> & {
  clock: Clock;
  mailboxWrite: Pick<Client<typeof MailboxWriteServiceDefinition>, 'postponeClassification'>;
  log: Log;
  failures: Counter;
};

/** The result for an email. A deleted email is done. */
export type AttemptOutcome = 'done' | 'waits' | 'quarantined';

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
      classify(deps, { workspaceId, email, isRepeat: isRepeat(email), begin, signal }),
    );
    return 'done';
  } catch (cause) {
    if (cause instanceof TakenByAnother) return 'waits';
    return await storeFailure(deps, email, { lease, cause, isClosing: closing.aborted });
  } finally {
    lease.stop();
  }
}

/** Its first attempt finds nothing kept, so nothing is looked for. */
const isRepeat = ({ classification }: PendingEmail) => classification?.notBefore !== undefined;

function leaseOf({ clock, mailboxWrite }: EmailAttemptDeps, email: PendingEmail): WorkLease<Failure> {
  const { workspaceId, _id: emailId } = email;
  return createLease<Failure>(clock, email.classification?.notBefore, async (times, failure) => {
    const request = { emailId, quarantine: false, ...times, ...failure };
    return (await mailboxWrite.postponeClassification(request, { workspaceId })).isChanged;
  });
}

interface FailedAttempt {
  lease: WorkLease<Failure>;
  cause: unknown;
  isClosing: boolean;
}

async function storeFailure(
  { clock, log, failures }: EmailAttemptDeps,
  email: PendingEmail,
  failed: FailedAttempt,
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
