import { isUnavailable, isHanging } from '@postroom/errors/unavailable';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import type { Log } from '@postroom/runtime/log';
import { type Repeating, repeat } from '@postroom/runtime/repeat';
import { createLostForwards, type LostForwards } from './lost-forwards.ts';
import { type RunLostDeps, runLost } from './run-lost.ts';
import { createReading, type RulesByWorkspace, span, startAt } from './sweep-reading.ts';
import type { SweepStore } from './sweep-store.ts';

export interface ForwardSweepDeps extends RunLostDeps {
  store: SweepStore;
}

const EVERY_MS = 5_000;
/** Younger ones are with the bus. */
const GRACE_MS = 5_000;
/**
 * A classification can be stored after the time that it carries, by a process that stood still before its write, and then
 * lie behind what was read. So all are read a second time, and those that are new are seen to.
 */
const SECOND_GRACE_MS = 65_000;
/** The period that the first sweep covers. */
const SWEEP_BACK_MS = 3_600_000;
/** More than two workspaces may have. */
const RULES_AT_ONCE = 500;
/** Of one workspace, at once. */
const MOST_WAITING = 50;
/** Workspaces with lost emails, or more emails than are read at once. */
const SERVED_AT_ONCE = 20;
const RUN_AT_ONCE = 8;

/**
 * Finds classified emails whose event was lost, and runs the rules for them. A sweep reads what was classified since the
 * one before, of hundreds of workspaces with active rules at once, so that its cost follows the mail and not their number.
 */
export function sweepForwards(deps: ForwardSweepDeps): Repeating {
  const { clock, log } = deps;
  const options = { name: 'the sweep for forwards', everyMs: EVERY_MS, firstAfterMs: EVERY_MS, clock, log };
  return repeat(createSweep(deps), options);
}

/** The progress of the sweep lives as long as the process: the next one begins again an hour back. */
function createSweep(deps: ForwardSweepDeps): (signal: AbortSignal) => Promise<void> {
  const { store, clock, log, recent } = deps;
  const lost = createLostForwards(MOST_WAITING);
  const limit = createFairLimit({ total: RUN_AT_ONCE });
  const from: Progress = { first: clock.now() - SWEEP_BACK_MS, second: clock.now() - SECOND_GRACE_MS };
  const runAll = (ids: Iterable<string>, signal: AbortSignal): Promise<void> =>
    each(ids, (id) => limit.run(id, () => orLater(log, signal, () => runLost(deps, lost, id, signal))));
  const reading = createReading({ store, lost, recent, runAll, latestStart: () => from.second });
  const parts = { ...deps, lost, from, runAll, reading };

  return async (signal) => {
    const now = clock.now();
    await each(lost.next(SERVED_AT_ONCE), (id) => orLater(log, signal, () => serve(parts, id, signal)));
    for await (const rulesOf of groupsOfRules(store)) await readGroup(parts, rulesOf, now, signal);
    from.first = now - GRACE_MS;
    from.second = now - SECOND_GRACE_MS;
  };
}

/** The times from which the next sweep reads. */
interface Progress {
  first: number;
  second: number;
}

interface Parts extends ForwardSweepDeps {
  lost: LostForwards;
  from: Progress;
  runAll: (ids: Iterable<string>, signal: AbortSignal) => Promise<void>;
  reading: ReturnType<typeof createReading>;
}

/** A workspace with lost emails, or with more emails than are read at once. */
async function serve({ lost, from, runAll, reading, forwards }: Parts, id: string, signal: AbortSignal): Promise<void> {
  await runAll([id], signal);
  const behind = lost.catchUp(id);
  if (!behind) return;
  try {
    const rules = await forwards.mail.activeRules(id);
    if (rules.length === 0) return;
    await reading.readOn(id, { behind, before: new Date(from.second) }, { rulesOf: new Map([[id, rules]]), signal });
  } catch (error) {
    lost.fallBehind(id, behind);
    throw error;
  }
}

function readGroup(
  { lost, from, reading, log }: Parts,
  rulesOf: RulesByWorkspace,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const ids = [...rulesOf.keys()];
  const read = async (): Promise<void> => {
    await reading.readAll(ids, span(from.first, now - GRACE_MS), { rulesOf, signal });
    await reading.readAll(ids, span(from.second, now - SECOND_GRACE_MS), { rulesOf, signal });
  };
  // One of them may be the cause, so each is read apart from then on.
  const readApart = () => ids.forEach((id) => lost.fallBehind(id, startAt(Math.min(from.first, from.second))));
  return orLater(log, signal, read, readApart);
}

/** Other workspaces do not wait for what fails in one. A failure of a service that all need ends the sweep. */
async function orLater(
  log: Log,
  signal: AbortSignal,
  work: () => Promise<void>,
  otherwise?: () => void,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (signal.aborted || isUnavailable(error) || isHanging(error)) throw error;
    log.warn({ err: error }, 'workspaces were not swept for forwards; the next sweep tries again');
    otherwise?.();
  }
}

/** All of them end, also where one fails. */
async function each(ids: Iterable<string>, work: (id: string) => Promise<void>): Promise<void> {
  const running = [...ids].map(work);
  await Promise.allSettled(running);
  await Promise.all(running);
}

/** The active rules of all workspaces, by workspace, those of some workspaces at once. */
async function* groupsOfRules(store: SweepStore): AsyncGenerator<RulesByWorkspace> {
  for (let behind = ''; ;) {
    const rules = await store.everyWorkspacesActiveRules(behind, RULES_AT_ONCE);
    const rulesOf = new Map<string, AutoForwardRuleDocument[]>();
    for (const rule of rules) rulesOf.set(rule.workspaceId, [...(rulesOf.get(rule.workspaceId) ?? []), rule]);
    const isLast = rules.length < RULES_AT_ONCE;
    // The last workspace may have more rules than were read.
    if (!isLast && rulesOf.size > 1) rulesOf.delete(rules.at(-1)?.workspaceId ?? '');
    if (rulesOf.size > 0) yield rulesOf;
    if (isLast) return;
    behind = [...rulesOf.keys()].at(-1) ?? behind;
  }
}
