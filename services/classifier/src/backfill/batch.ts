import { ApiError } from '@postroom/errors/api-error';
import { isUnavailable, isHanging, pauseWhileUnavailable } from '@postroom/errors/unavailable';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { attemptWithin } from '../classify/attempt-within.ts';
import { classify, type ClassifyDeps } from '../classify/classify.ts';
import { createLease, type WorkLease, TakenByAnother } from '../classify/lease.ts';
import type { ClassifiedEmailStore, EmailPosition } from '../classify/mail-store.ts';
import { ModelBusy, ModelUnavailable } from '../model/availability.ts';
import type { RunnableBackfillStore, RunnableBackfill } from './backfill-store.ts';
import { advance, failBackfill, progressOf, type RunningBackfill, toRequest } from './progress.ts';

export interface BatchDeps {
  classifyDeps: ClassifyDeps;
  mail: Pick<ClassifiedEmailStore, 'newest' | 'countInbox' | 'find'>;
  jobs: Pick<RunnableBackfillStore, 'find'>;
  labelRule: Pick<Client<typeof LabelRuleServiceDefinition>, 'recordBackfill'>;
  mailboxWrite: Pick<Client<typeof MailboxWriteServiceDefinition>, 'postponeClassification'>;
  clock: Clock;
  log: Log;
}

/** The model is asked about so many side by side, and at most so many again after a crash. */
const BATCH = 4;
/** At this attempt the emails on which the model fails are passed over. */
const LAST_ATTEMPT_AT_AN_EMAIL = 3;
/** The failure of a service says little about the email, and is over soon as a rule. */
const LAST_ATTEMPT_BEHIND_A_SERVICE = 8;
const PAUSES_MS = [2_000, 5_000];
const LATER_PAUSE_MS = 15_000;
/** Without progress. No email holds a backfill up for so long: its classifier dies each time, or a failure is unexpected. */
const MOST_ATTEMPTS = 10;
const BUSY_MS = 10_000;
/** From then on a busy model counts as a failure: an email may be too large for any moment. */
const LONGEST_BUSY_MS = 6 * 60 * 60_000;

/**
 * Works on the next emails of a backfill under its lease, and stores the position after them. It returns whether there was
 * progress, and never throws: a released backfill is due again.
 */
export async function workBatch(deps: BatchDeps, found: RunnableBackfill, closing: AbortSignal): Promise<boolean> {
  const { labelRule, clock, log } = deps;
  const { _id: jobId, workspaceId } = found;
  const progress = progressOf(found);
  const lease = createLease(clock, found.notBefore, async (times) => {
    const request = { jobId, ...toRequest(progress), ...times };
    return (await labelRule.recordBackfill(request, { workspaceId })).isChanged;
  });
  try {
    if (progress.attempts > MOST_ATTEMPTS) {
      failBackfill(progress);
      log.error({ jobId, cause: progress.cause }, 'a backfill has failed: it made no progress for too many attempts');
    } else {
      await lease.begin();
      await advanceOnce(deps, found, progress, { lease, closing });
    }
    await lease.end(0);
    return true;
  } catch (error) {
    await giveBack(deps, found, progress, { lease, error, closing });
    return false;
  } finally {
    lease.stop();
  }
}

interface Ends {
  lease: WorkLease<object>;
  closing: AbortSignal;
}

async function advanceOnce(
  deps: BatchDeps,
  found: RunnableBackfill,
  progress: RunningBackfill,
  ends: Ends,
): Promise<void> {
  const { workspaceId, _id } = found;
  // Until it ran, a call for more emails could still raise its limit.
  const job = await deps.jobs.find(workspaceId, _id);
  if (!job) throw new TakenByAnother('the backfill is gone');
  const { mailboxId, limit } = job;
  progress.total ||= await deps.mail.countInbox(workspaceId, mailboxId, limit);
  const wanted = Math.min(BATCH, limit - progress.done);
  const batch = wanted > 0 ? await deps.mail.newest(workspaceId, mailboxId, progress.after, wanted) : [];
  await requireWriter(deps, workspaceId, batch);
  const failures = await classifyAll(deps, job, batch, ends);
  const [first] = failures;
  const age = ageOf(job, deps.clock);
  const notToBlame = failures.find((error) => isBlameless(error, age));
  if (notToBlame) throw notToBlame;
  const isOfService = failures.some((error) => error instanceof ApiError);
  const last = isOfService ? LAST_ATTEMPT_BEHIND_A_SERVICE : LAST_ATTEMPT_AT_AN_EMAIL;
  if (first && progress.attempts < last) throw first;
  advance(progress, batch, failures, batch.length < BATCH || progress.done + batch.length >= limit);
}

/** Nobody takes an email up at this time, so the call changes nothing. */
const NEVER = new Date(0).toISOString();

/** Each answer of the model costs, so none is asked for that cannot be recorded. */
async function requireWriter(
  { mailboxWrite }: BatchDeps,
  workspaceId: string,
  [first]: readonly EmailPosition[],
): Promise<void> {
  if (!first) return;
  const request = { emailId: first._id, seen: NEVER, notBefore: NEVER, quarantine: false };
  await mailboxWrite.postponeClassification(request, { workspaceId });
}

/** The failures of the emails, once all of them are done with. */
async function classifyAll(
  deps: BatchDeps,
  job: RunnableBackfill,
  batch: readonly EmailPosition[],
  ends: Ends,
): Promise<Error[]> {
  const { workspaceId, _id: backfillId } = job;
  const signals = [ends.closing, ends.lease.lost];
  const done = await Promise.allSettled(
    batch.map(async ({ _id }) => {
      const email = await deps.mail.find(workspaceId, _id);
      if (!email) return;
      await attemptWithin(deps.clock, signals, (signal) =>
        classify(deps.classifyDeps, { workspaceId, email, backfillId, signal }),
      );
    }),
  );
  for (const signal of signals) signal.throwIfAborted();
  return done.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
}

const ageOf = ({ createdAt }: RunnableBackfill, clock: Clock): number => clock.now() - createdAt.getTime();

const isBlameless = (error: unknown, age: number): boolean =>
  error instanceof ModelUnavailable ||
  (error instanceof ModelBusy && age < LONGEST_BUSY_MS) ||
  isUnavailable(error) ||
  isHanging(error);

async function giveBack(
  { clock, log }: BatchDeps,
  found: RunnableBackfill,
  progress: RunningBackfill,
  { lease, error, closing }: Ends & { error: unknown },
): Promise<void> {
  if (error instanceof TakenByAnother) return;
  const jobId = found._id;
  const isItsFault = !closing.aborted && !isBlameless(error, ageOf(found, clock));
  if (isItsFault) progress.cause = error instanceof Error ? error.message : String(error);
  else progress.attempts = found.attempts ?? 0;
  const afterFault = PAUSES_MS[progress.attempts - 1] ?? LATER_PAUSE_MS;
  const waitMs = isItsFault ? afterFault : pauseWithoutFault(error, ageOf(found, clock), closing);
  if (isItsFault) log.warn({ err: error, jobId, waitMs }, 'a batch of a backfill failed; it is tried again');
  await lease.end(waitMs).catch((err: unknown) => {
    log.warn({ err, jobId }, 'a backfill could not be given back; it goes on when its lease ends');
  });
}

function pauseWithoutFault(error: unknown, age: number, closing: AbortSignal): number {
  if (closing.aborted) return 0;
  if (error instanceof ModelUnavailable) return error.retryAfterMs;
  return error instanceof ModelBusy ? Math.max(BUSY_MS, error.retryAfterMs) : pauseWhileUnavailable(age);
}
