import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { type Repeating, repeat } from '@postroom/runtime/repeat';
import type { Model } from '../model/model.ts';
import type { RulesOf } from '../classify/current-rules.ts';
import { inRotation } from '../classify/rotation.ts';
import type { DueBy, UnclassifiedStore } from './pending-store.ts';
import type { ClassifyWorker } from './worker.ts';

interface PollDeps {
  pending: Pick<UnclassifiedStore, 'due' | 'everyWorkspacesNext'>;
  worker: ClassifyWorker;
  model: Pick<Model, 'availability'>;
  rulesOf: RulesOf;
  clock: Clock;
  log: Log;
}

/** The time in which an email is left to its event. */
const EVENT_WITHIN_MS = 4_000;
const EVERY_MS = 1_500;
const JITTER_MS = 500;
/** While there is more to do than room for it. */
const BUSY_EVERY_MS = 200;
const MOST_OF_A_WORKSPACE = 100;
/** The number of workspaces whose rules one pass reads while the model is unavailable. */
const MOST_WITHOUT_MODEL = 100;

/**
 * Finds due emails: their event was lost or came without a free permit, they failed before, or their classifier died.
 * Workspaces are served in rotation.
 */
export function pollPending(deps: PollDeps): Repeating {
  const { clock, log } = deps;
  let last = '';
  const poll = async (closing: AbortSignal): Promise<number> => {
    const pass = await passOnce(deps, last, closing);
    last = pass.last;
    return pass.isBusy ? BUSY_EVERY_MS : EVERY_MS + (clock.now() % JITTER_MS);
  };
  return repeat(poll, { name: 'the poll for emails that are due', everyMs: EVERY_MS, clock, log });
}

interface Pass {
  /** The last workspace that was served; the next pass begins behind it. */
  last: string;
  /** More may be due than there was room for. */
  isBusy: boolean;
}

export async function passOnce(deps: PollDeps, last: string, closing: AbortSignal): Promise<Pass> {
  const { pending, worker, model, rulesOf, clock } = deps;
  const pass = { last, isBusy: false };
  const isAnswered = await model.availability.check();
  if (!worker.hasCapacity()) return { ...pass, isBusy: true };
  // The events of refused emails will not come again.
  const grace = worker.hasRefused() ? 0 : EVENT_WITHIN_MS;
  const by = { now: clock.date(), cameBefore: new Date(clock.now() - grace) };
  let left = isAnswered ? Infinity : MOST_WITHOUT_MODEL;
  for await (const workspaceId of inRotation(last, (behind) => pending.everyWorkspacesNext(behind, by))) {
    if (!isAnswered) pass.last = workspaceId;
    const canBeServed = isAnswered || (await rulesOf(workspaceId)).length === 0;
    const served = canBeServed ? await serve(deps, workspaceId, by, closing) : 'nothing';
    if (served !== 'nothing') pass.last = workspaceId;
    if (served === 'a part') pass.isBusy = true;
    left -= 1;
    if (!worker.hasCapacity()) return { ...pass, isBusy: true };
    if (left === 0 || closing.aborted) break;
  }
  return pass;
}

type Served = 'nothing' | 'a part' | 'all';

/** Begins what is due of a workspace, as far as there is room. */
async function serve(
  { pending, worker }: PollDeps,
  workspaceId: string,
  by: DueBy,
  closing: AbortSignal,
): Promise<Served> {
  if (!worker.hasCapacity(workspaceId)) return 'nothing';
  const which = { ...by, notOf: worker.blockedThreads(workspaceId) };
  const due = await pending.due(workspaceId, which, MOST_OF_A_WORKSPACE);
  let served: Served = 'nothing';
  for (const email of due) {
    if (!worker.hasCapacity(workspaceId)) return served;
    if (worker.begin(email, 'end', closing)) served = 'a part';
  }
  return served === 'a part' && due.length < MOST_OF_A_WORKSPACE ? 'all' : served;
}

interface LiveMailDeps {
  pending: PollDeps['pending'];
  worker: Pick<ClassifyWorker, 'hasCapacity' | 'blockedThreads'>;
  clock: Pick<Clock, 'date'>;
}

/**
 * Mail that waits for other mail, of its thread or of its workspace that has its whole share, holds nothing else back. Nor
 * does mail whose event is in transit: where mail never stops there is always some.
 */
export async function isLiveMailDue({ pending, worker, clock }: LiveMailDeps): Promise<boolean> {
  if (!worker.hasCapacity()) return true;
  const now = clock.date();
  const by = { now, cameBefore: new Date(now.getTime() - EVENT_WITHIN_MS) };
  for await (const workspaceId of inRotation('', (behind) => pending.everyWorkspacesNext(behind, by))) {
    if (!worker.hasCapacity(workspaceId)) continue;
    const due = await pending.due(workspaceId, { ...by, notOf: worker.blockedThreads(workspaceId) }, 1);
    if (due.length > 0) return true;
  }
  return false;
}
