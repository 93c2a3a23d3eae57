import { isAway, isHanging } from '@postroom/errors/away';
import { RetryLater, type Work } from '@postroom/events/bus';
import { defaultRetry } from '@postroom/events/deliver';
import type { EventOf } from '@postroom/events/event';
import type { BackfillJobDocument } from '@postroom/mail-store/documents/backfill';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Client } from '@postroom/rpc/definition';
import type { BackfillStore } from './backfill-store.ts';
import { classify, type ClassifyDeps } from './classify.ts';
import type { MailStore, Position } from './mail-store.ts';
import { ModelUnavailable } from './model/availability.ts';

export interface BackfillDeps {
  classifyDeps: ClassifyDeps;
  mail: Pick<MailStore, 'newest' | 'countInbox' | 'find'>;
  jobs: BackfillStore;
  labelRule: Pick<Client<typeof LabelRuleServiceDefinition>, 'recordBackfill'>;
}

type Job = Pick<BackfillJobDocument, '_id' | 'workspaceId' | 'mailboxId' | 'limit' | 'done' | 'total' | 'createdAt'> & {
  after: Position | undefined;
};

/** So many are asked about side by side, and at most so many again after a crash. */
const CHUNK = 4;

/** The newest of an inbox first, their labels and nothing else. Whoever takes over goes on behind what was reported. */
export function createOnBackfillRequested(deps: BackfillDeps) {
  return async ({ workspaceId, data }: EventOf<'backfill.requested'>, work: Pick<Work, 'signal' | 'attempt'>) => {
    const job = await begin(deps, workspaceId, data.jobId);
    if (!job) return;
    const failures: Error[] = [];
    // In the last attempt an email that nothing can be said of is passed over: what others wrote is not held back by it.
    const orLast = (error: unknown): void => {
      if (error instanceof ModelUnavailable) throw new RetryLater(error.retryAfterMs, error);
      if (isNoFault(error) || work.signal.aborted || work.attempt < defaultRetry.attempts) throw error;
      failures.push(error as Error);
    };
    try {
      await workOff(deps, job, work.signal, orLast);
    } catch (error) {
      orLast(error);
      return report(deps, job, 'failed', failures.at(-1)?.message);
    }
    const [first] = failures;
    const hasDone = failures.length < job.done;
    const cause = first && (hasDone ? `${failures.length} emails were passed over: ${first.message}` : first.message);
    await report(deps, job, hasDone || !first ? 'completed' : 'failed', cause);
  };
}

const isNoFault = (error: unknown): boolean => error instanceof RetryLater || isAway(error) || isHanging(error);

/** Undefined where it is gone or done. */
async function begin(deps: BackfillDeps, workspaceId: string, jobId: string): Promise<Job | undefined> {
  const queued = await readJob(deps, workspaceId, jobId);
  if (queued?.state !== 'queued') return queued;
  await report(deps, queued, 'running');
  // Until then whoever asked for more emails could still be told that this one sees to them.
  return readJob(deps, workspaceId, jobId);
}

async function readJob({ jobs, mail }: BackfillDeps, workspaceId: string, jobId: string) {
  const found = await jobs.find(workspaceId, jobId);
  if (!found || found.state === 'completed' || found.state === 'failed') return undefined;
  const { afterDate, afterId, mailboxId, limit } = found;
  const after = afterDate && afterId !== null ? { date: afterDate, _id: afterId } : undefined;
  // Counted once it has begun, when its limit is settled.
  const total = found.state === 'queued' ? 0 : found.total || (await mail.countInbox(workspaceId, mailboxId, limit));
  return { ...found, total, after };
}

async function workOff(
  deps: BackfillDeps,
  job: Job,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const { workspaceId, mailboxId, limit } = job;
  const asking = { workspaceId, isBackfill: true, at: job.createdAt, signal };
  const classifyOne = async ({ _id }: Position): Promise<void> => {
    const email = await deps.mail.find(workspaceId, _id);
    if (email) await classify(deps.classifyDeps, { ...asking, email });
  };
  for (;;) {
    await report(deps, job, 'running');
    const chunk = await deps.mail.newest(workspaceId, mailboxId, job.after, Math.min(CHUNK, limit - job.done));
    if (chunk.length === 0) return;
    signal.throwIfAborted();
    await Promise.all(chunk.map((one) => classifyOne(one).catch(onFailure)));
    job.done += chunk.length;
    job.after = chunk.at(-1);
    if (job.done >= limit) return;
  }
}

async function report({ labelRule }: BackfillDeps, job: Job, state: string, cause?: string): Promise<void> {
  const { _id: jobId, workspaceId, done, after } = job;
  const request = {
    jobId,
    state,
    done,
    total: Math.max(job.total, done),
    afterDate: after?.date.toISOString(),
    afterId: after?._id,
    cause,
  };
  await labelRule.recordBackfill(request, { workspaceId });
}
