import { NoMoreAttempts, RetryLater } from '@postroom/events/bus';
import { isUnavailable, isHanging } from '@postroom/errors/unavailable';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { type Repeating, repeat } from '@postroom/runtime/repeat';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import type { RecentIds } from '@postroom/runtime/recent-ids';
import { type RunRulesDeps, runRules } from './run-rules.ts';
import type { Classified, ClassifiedPosition, SweepStore } from './sweep-store.ts';
import { withoutLine } from './without-line.ts';

export interface ForwardSweepDeps {
  forwards: RunRulesDeps;
  store: SweepStore;
  /** Emails whose event was handled here, and those that a sweep has seen to. */
  recent: Pick<RecentIds, 'has' | 'add'>;
  clock: Clock;
  log: Log;
}

const EVERY_MS = 5_000;
/** Younger ones are with the bus. */
const GRACE_MS = 5_000;
/**
 * A classification can be stored after the time that it carries, by a process that stood still before its write, and then
 * lie behind what was read. So all are read a second time, and those that are new are seen to.
 */
const SECOND_GRACE_MS = 65_000;
/** The period that the first sweep of a workspace covers. */
const SWEEP_BACK_MS = 3_600_000;
const WORKSPACES_PER_SWEEP = 20;
/** At one position of a workspace. Most of them were handled by their event and cost nothing more. */
const READ_AT_ONCE = 500;
/** Of one workspace, at once. */
const MOST_WAITING = 50;
const MOST_FAILURES = 5;

/**
 * Finds classified emails whose event was lost, and runs the rules for them. Workspaces with active rules are served in
 * rotation, so that the cost of a sweep is bounded.
 */
export function sweepForwards(deps: ForwardSweepDeps): Repeating {
  const { clock, log } = deps;
  const options = { name: 'the sweep for forwards', everyMs: EVERY_MS, firstAfterMs: EVERY_MS, clock, log };
  return repeat(createSweep(deps), options);
}

/** An email whose forward may be lost, until its rules have run. */
interface Waiting extends Classified {
  failures: number;
}

/** The progress of the sweep in a workspace. It lives as long as the process: the next one begins again an hour back. */
interface Progress {
  first: ClassifiedPosition;
  second: ClassifiedPosition;
  waiting: Map<string, Waiting>;
}

function createSweep(deps: ForwardSweepDeps): (signal: AbortSignal) => Promise<void> {
  let progressOf = new Map<string, Progress>();
  /** A workspace that is not among these has no active rule now. Until it has one again, its position would fall far behind. */
  let inThisRotation = new Map<string, Progress>();
  let last = '';

  const sweepWorkspace = async (workspaceId: string, signal: AbortSignal): Promise<void> => {
    const progress = progressOf.get(workspaceId) ?? begin(deps);
    inThisRotation.set(workspaceId, progress);
    const { first, second, waiting } = progress;
    await readOn(deps, workspaceId, first, GRACE_MS, waiting);
    await readOn(deps, workspaceId, second, SECOND_GRACE_MS, waiting);
    const rules = waiting.size > 0 ? await deps.forwards.mail.activeRules(workspaceId) : [];
    const emails = [...waiting.values()].map((one) => sweptOf(one, rules));
    const lost = await withoutLine(deps.store, workspaceId, emails);
    for (const [id, one] of waiting) {
      signal.throwIfAborted();
      const isLost = lost.has(id) && !deps.recent.has(id);
      if (isLost && !(await isSeenTo(deps, workspaceId, one, rules))) continue;
      waiting.delete(id);
      deps.recent.add(id);
    }
  };

  return async (signal) => {
    for (let n = 0; n < WORKSPACES_PER_SWEEP; n += 1) {
      const workspaceId = await deps.store.everyWorkspacesNextWithRules(last);
      last = workspaceId ?? '';
      if (workspaceId === undefined) {
        [progressOf, inThisRotation] = [inThisRotation, new Map()];
        return;
      }
      await sweepWorkspace(workspaceId, signal);
    }
  };
}

function begin({ clock }: ForwardSweepDeps): Progress {
  const start = (): ClassifiedPosition => ({ createdAt: new Date(clock.now() - SWEEP_BACK_MS), _id: '' });
  return { first: start(), second: start(), waiting: new Map() };
}

async function readOn(
  { store, recent, clock }: ForwardSweepDeps,
  workspaceId: string,
  position: ClassifiedPosition,
  graceMs: number,
  waiting: Progress['waiting'],
): Promise<void> {
  if (waiting.size >= MOST_WAITING) return;
  for (const one of await store.classified(workspaceId, position, new Date(clock.now() - graceMs), READ_AT_ONCE)) {
    if (!recent.has(one._id) && !waiting.has(one._id)) {
      if (waiting.size >= MOST_WAITING) return;
      waiting.set(one._id, { ...one, failures: 0 });
    }
    Object.assign(position, { createdAt: one.createdAt, _id: one._id });
  }
}

/** A rule does not apply to emails from before its creation or change. */
function sweptOf({ _id: emailId, createdAt, verdicts }: Classified, rules: readonly AutoForwardRuleDocument[]) {
  const labelIds = verdicts.filter(({ applies }) => applies).map(({ labelId }) => labelId);
  return { emailId, labelIds, rules: rules.filter(({ updatedAt }) => updatedAt <= createdAt) };
}

/** Whether the sweep has nothing more to do for an email. A failure of a service it needs ends this sweep. */
async function isSeenTo(
  { forwards, log }: ForwardSweepDeps,
  workspaceId: string,
  one: Waiting,
  rules: readonly AutoForwardRuleDocument[],
): Promise<boolean> {
  const { emailId, labelIds, rules: unchanged } = sweptOf(one, rules);
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
