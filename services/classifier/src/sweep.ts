import { isAway } from '@postroom/errors/away';
import { RetryLater } from '@postroom/events/bus';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { classify, type ClassifyDeps } from './classify.ts';
import type { MailStore } from './mail-store.ts';
import type { WaitingEmail } from './waiting-store.ts';

export interface SweepDeps {
  classifyDeps: ClassifyDeps;
  mail: Pick<MailStore, 'everyWorkspaces'>;
  /** What the bus still has to bring: while there is something, waiting is no sign of having been lost. */
  lag: () => Promise<number>;
  clock: Clock;
  log: Log;
}

const EVERY_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Younger ones are in the hands of the bus. */
const GRACE_MS = 120_000;
const BATCH = 100;

/**
 * Finds the emails whose event was lost, and does with them as the event would have. Those that fail are tried again
 * after ever longer pauses: their events are dead letters, and somebody is to look. Ends with the signal.
 */
export async function sweepWaiting(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  let pauseMs = EVERY_MS;
  while (!signal.aborted) {
    try {
      await clock.sleep(pauseMs, signal);
      if ((await deps.lag()) > 0) continue;
      const { done, failed } = await sweepOnce(deps, signal);
      pauseMs = failed > 0 && done === 0 ? Math.min(LONGEST_PAUSE_MS, pauseMs * 2) : EVERY_MS;
      if (done + failed > 0) log.info({ done, failed }, 'emails that waited for their classification');
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the sweep for waiting emails failed; the next one tries again');
    }
  }
}

/** One after the other, so that it never takes the place of new mail. */
export async function sweepOnce(
  { classifyDeps, mail, clock, log }: SweepDeps,
  signal: AbortSignal,
): Promise<{ done: number; failed: number }> {
  const before = new Date(clock.now() - GRACE_MS);
  const outcome = { done: 0, failed: 0 };
  let after: WaitingEmail | undefined;
  for (;;) {
    const found = await mail.everyWorkspaces(before, after, BATCH);
    for (const { workspaceId, _id: emailId } of found) {
      signal.throwIfAborted();
      try {
        await classify(classifyDeps, { workspaceId, emailId, isBackfill: false, signal });
        outcome.done += 1;
      } catch (error) {
        if (error instanceof RetryLater || isAway(error)) return outcome;
        outcome.failed += 1;
        log.warn({ err: error, emailId }, 'an email stays unclassified for the next sweep');
      }
    }
    after = found.at(-1);
    if (found.length < BATCH) return outcome;
  }
}
