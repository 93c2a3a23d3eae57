import { isUnavailable, isHanging } from '@postroom/errors/unavailable';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { type Repeating, repeat } from '@postroom/runtime/repeat';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import type { RecentIds } from '@postroom/runtime/recent-ids';
import { type RunRulesDeps, runRules } from './run-rules.ts';
import type { Classified, ClassifiedPosition, SweepStore } from './sweep-store.ts';

export interface ForwardSweepDeps {
  forwards: RunRulesDeps;
  store: SweepStore;
  /** Emails whose event was handled here. */
  recent: Pick<RecentIds, 'has'>;
  clock: Clock;
  log: Log;
}

const EVERY_MS = 5_000;
/** Younger ones are with the bus. */
const GRACE_MS = 5_000;
/** The period that the first sweep of a workspace covers. */
const SWEEP_BACK_MS = 3_600_000;
const WORKSPACES_PER_SWEEP = 20;
const EMAILS_PER_WORKSPACE = 50;

/**
 * Finds classified emails whose event was lost, and runs the rules for them. Workspaces with active rules are served in
 * rotation, so that the cost of a sweep is bounded.
 */
export function sweepForwards(deps: ForwardSweepDeps): Repeating {
  const { clock, log } = deps;
  const options = { name: 'the sweep for forwards', everyMs: EVERY_MS, firstAfterMs: EVERY_MS, clock, log };
  return repeat(createSweep(deps), options);
}

function createSweep(deps: ForwardSweepDeps): (signal: AbortSignal) => Promise<void> {
  /** The position of the sweep in each workspace. */
  const positions = new Map<string, ClassifiedPosition>();
  let last = '';

  const sweepWorkspace = async (workspaceId: string, signal: AbortSignal): Promise<void> => {
    const behind = positions.get(workspaceId) ?? { createdAt: new Date(deps.clock.now() - SWEEP_BACK_MS), _id: '' };
    positions.set(workspaceId, behind);
    const before = new Date(deps.clock.now() - GRACE_MS);
    const found = await deps.store.classified(workspaceId, behind, before, EMAILS_PER_WORKSPACE);
    const rules = found.length > 0 ? await deps.forwards.mail.activeRules(workspaceId) : [];
    for (const one of found) {
      signal.throwIfAborted();
      if (!deps.recent.has(one._id)) await forwardLost(deps, workspaceId, one, rules);
      positions.set(workspaceId, { createdAt: one.createdAt, _id: one._id });
    }
  };

  return async (signal) => {
    for (let n = 0; n < WORKSPACES_PER_SWEEP; n += 1) {
      const workspaceId = await deps.store.everyWorkspacesNextWithRules(last);
      last = workspaceId ?? '';
      if (workspaceId === undefined) return;
      await sweepWorkspace(workspaceId, signal);
    }
  };
}

async function forwardLost(
  { forwards, log }: ForwardSweepDeps,
  workspaceId: string,
  one: Classified,
  rules: readonly AutoForwardRuleDocument[],
): Promise<void> {
  const { _id: emailId, createdAt, verdicts } = one;
  const labelIds = verdicts.filter(({ applies }) => applies).map(({ labelId }) => labelId);
  try {
    // A rule does not apply to emails from before its creation or change.
    const unchanged = rules.filter(({ updatedAt }) => updatedAt <= createdAt);
    await runRules(forwards, { workspaceId, emailId, labelIds }, unchanged);
  } catch (error) {
    if (isUnavailable(error) || isHanging(error)) throw error;
    log.warn({ err: error, emailId }, 'a lost forward was not made; its event, or the next start, tries again');
  }
}
