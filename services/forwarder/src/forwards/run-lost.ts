import { NoMoreAttempts, RetryLater } from '@postroom/events/bus';
import { isUnavailable, isHanging } from '@postroom/errors/unavailable';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { RecentIds } from '@postroom/runtime/recent-ids';
import { BETWEEN_CLOCKS_MS } from './clocks.ts';
import type { Lost, LostForwards } from './lost-forwards.ts';
import { type RunRulesDeps, runRules } from './run-rules.ts';
import type { Classified } from './sweep-store.ts';
import type { Swept } from './without-line.ts';

export interface RunLostDeps {
  forwards: RunRulesDeps;
  /** Emails whose event was handled here, and those that a sweep has seen to. */
  recent: Pick<RecentIds, 'has' | 'add'>;
  clock: Clock;
  log: Log;
}

/** The time of one workspace in a sweep. Its other lost emails wait for the next one. */
const LONGEST_MS = 5_000;
const MOST_FAILURES = 5;

/** Runs the rules for the lost emails of a workspace, by its rules of this moment. */
export async function runLost(
  deps: RunLostDeps,
  lost: LostForwards,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  const { forwards, recent, clock } = deps;
  const end = clock.now() + LONGEST_MS;
  const rules = await forwards.mail.activeRules(workspaceId);
  for (const one of lost.waiting(workspaceId)) {
    signal.throwIfAborted();
    if (clock.now() > end) return;
    if (!recent.has(one._id) && !(await isSeenTo(deps, one, rules))) continue;
    lost.done(workspaceId, one._id);
    recent.add(one._id);
  }
}

/**
 * A rule does not apply to emails from before its creation or change. Other services write both times, by clocks of their
 * own, and an event of the last seconds is handled by the changed rule as well.
 */
export function sweptOf(
  { _id: emailId, workspaceId, createdAt, verdicts }: Classified,
  rules: readonly AutoForwardRuleDocument[],
): Swept {
  const labelIds = verdicts.filter(({ applies }) => applies).map(({ labelId }) => labelId);
  const latest = createdAt.getTime() + BETWEEN_CLOCKS_MS;
  const isNoYounger = ({ updatedAt }: AutoForwardRuleDocument) => updatedAt.getTime() <= latest;
  return { workspaceId, emailId, labelIds, rules: rules.filter(isNoYounger) };
}

/** Whether the sweep has nothing more to do for an email. A failure of a service it needs ends this sweep. */
async function isSeenTo(
  { forwards, log }: RunLostDeps,
  one: Lost,
  rules: readonly AutoForwardRuleDocument[],
): Promise<boolean> {
  const { workspaceId, emailId, labelIds, rules: unchanged } = sweptOf(one, rules);
  try {
    await runRules(forwards, { workspaceId, emailId, labelIds }, unchanged);
    return true;
  } catch (error) {
    if (isUnavailable(error) || isHanging(error)) throw error;
    // Another process works on it, or died at it a moment ago.
    if (error instanceof RetryLater) return false;
    one.failures += 1;
    if (one.failures < MOST_FAILURES && !(error instanceof NoMoreAttempts)) return false;
    log.warn({ err: error, emailId }, 'a lost forward was not made; its event, or the next start, tries again');
    return true;
  }
}
