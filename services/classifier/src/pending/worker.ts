import { createFairLimit } from '@postroom/runtime/fair-limit';
import type { PendingEmail, UnclassifiedStore, WhichEmail } from './pending-store.ts';
import { createThreadOrder } from './thread-order.ts';
import { createCrashSuspects } from './crash-suspects.ts';
import { type AttemptOutcome, attemptEmail, type EmailAttemptDeps } from './attempt-email.ts';
import { isInWork } from './attempt-failure.ts';

export type ClassifyWorkerDeps = EmailAttemptDeps & {
  pending: Pick<UnclassifiedStore, 'inThread'>;
};

export interface ClassifyWorker {
  /** Whether there is a permit for a workspace, or for any. */
  hasCapacity(workspaceId?: string): boolean;
  /**
   * Works on what is first in the thread of an email, and so on as far as that email, or to the end of its thread.
   * Undefined where there is no room, or it is being worked on: the email then waits where it is stored, and not here.
   * The promise never rejects.
   */
  begin(which: WhichEmail, upTo: 'email' | 'end', closing: AbortSignal): Promise<void> | undefined;
  /** Long threads of a workspace of which no email can begin now. */
  blockedThreads(workspaceId: string): string[];
  /** Whether an email was refused for lack of a permit since the last call. */
  hasRefused(): boolean;
  /** Resolves when nothing is being worked on. */
  idle(): Promise<void>;
}

/** So long an event may work on what waits before its email, with an attempt behind it; the poll does the others. */
const LONGEST_RUN_MS = 30_000;

/** Behind a suspect the next one is found after so long. */
const NEXT_SUSPECT_MS = 1_000;

type AttemptOne = (email: PendingEmail, closing: AbortSignal) => Promise<AttemptOutcome | 'another suspect first'>;

/** One workspace has at most half of the room, however much mail it has, and however slow its mail is. */
export function createWorker(deps: ClassifyWorkerDeps, atOnce: number): ClassifyWorker {
  const share = Math.max(1, Math.floor(atOnce / 2));
  const limit = createFairLimit({ total: atOnce, perOwner: share });
  const running = new Map<string, Promise<void>>();
  const threads = createThreadOrder(deps.clock);
  const suspects = createCrashSuspects(running);
  const attemptFor =
    ({ emailId }: WhichEmail): AttemptOne =>
    (email, closing) =>
      suspects.run(email, emailId, () => attemptEmail(deps, email, closing));
  let isRefusing = false;

  return {
    hasRefused: () => {
      const before = isRefusing;
      isRefusing = false;
      return before;
    },
    hasCapacity: (workspaceId) =>
      !suspects.isAlone() && running.size < atOnce && (workspaceId === undefined || limit.held(workspaceId) < share),
    begin: (which, upTo, closing) => {
      const { workspaceId, emailId } = which;
      if (running.has(emailId) || (upTo === 'end' && threads.isRunning(which))) return undefined;
      const release = suspects.isAlone() ? undefined : limit.tryAcquire(workspaceId);
      if (!release) {
        isRefusing = true;
        return undefined;
      }
      const leaveThread = threads.enter(which);
      const work = workOn({ ...deps, attemptOne: attemptFor(which) }, which, upTo, closing)
        .then((until) => until && threads.block(which, until))
        .catch((error: unknown) => {
          if (!closing.aborted) deps.log.warn({ err: error, emailId }, 'an email stays due; the next poll finds it');
        })
        .finally(() => {
          running.delete(emailId);
          leaveThread();
          release();
        });
      running.set(emailId, work);
      return work;
    },
    blockedThreads: threads.blocked,
    idle: async () => void (await Promise.allSettled(running.values())),
  };
}

/**
 * Emails of one thread are done in their order: a later one waits for an earlier one that waits. Returns the time until
 * which the whole thread waits, when the email is too far behind to be postponed by itself, or is a suspect behind another.
 */
async function workOn(
  deps: ClassifyWorkerDeps & { attemptOne: AttemptOne },
  which: WhichEmail,
  upTo: 'email' | 'end',
  closing: AbortSignal,
): Promise<Date | undefined> {
  const thread = await deps.pending.inThread(which.workspaceId, which);
  const own = thread.findIndex(({ _id }) => _id === which.emailId);
  // Later emails of the thread have their own events. The poll goes on to the end of the thread.
  const wanted = upTo === 'end' ? thread : thread.slice(0, own + 1);
  const [first] = wanted;
  if (!first) return undefined;
  const { notBefore } = first.classification ?? {};
  if (notBefore && notBefore.getTime() > deps.clock.now()) {
    const email = thread[own];
    if (email && own > 0 && !isInWork(email, deps.clock.now())) await stepBehind(deps, email, notBefore);
    return own === -1 ? notBefore : undefined;
  }
  const end = upTo === 'end' ? Infinity : deps.clock.now() + LONGEST_RUN_MS;
  for (const email of wanted) {
    closing.throwIfAborted();
    if (deps.clock.now() > end) return undefined;
    // Work on an email behind the first may have begun before the first joined the thread.
    if (email !== first && isInWork(email, deps.clock.now())) return undefined;
    const outcome = await deps.attemptOne(email, closing);
    if (outcome === 'another suspect first') return new Date(deps.clock.now() + NEXT_SUSPECT_MS);
    if (outcome === 'waits') return undefined;
  }
  return undefined;
}

/** It is not found again before the first of its thread is. */
async function stepBehind({ mailboxWrite }: ClassifyWorkerDeps, email: PendingEmail, notBefore: Date): Promise<void> {
  const { _id: emailId, workspaceId, classification } = email;
  const seen = classification?.notBefore?.toISOString();
  const request = { emailId, seen, notBefore: notBefore.toISOString(), quarantine: false };
  await mailboxWrite.postponeClassification(request, { workspaceId });
}
