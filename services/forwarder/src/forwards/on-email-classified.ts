import type { Work } from '@postroom/events/bus';
import type { EventOf } from '@postroom/events/event';
import type { Clock } from '@postroom/runtime/clock';
import type { RecentIds } from '@postroom/runtime/recent-ids';
import { BETWEEN_CLOCKS_MS } from './clocks.ts';
import { mayApply, type RunRulesDeps, runRules } from './run-rules.ts';

/** A younger email has the labels that its event tells, and hardly any rule has a line about it. */
const YOUNG_MS = 10_000;

/**
 * Runs the active rules of the workspace over one email. The event tells which of them can apply at all. It may come late or
 * again, and a rule forwards no email from before it was made.
 */
export function createOnEmailClassified(deps: RunRulesDeps, recent: Pick<RecentIds, 'add'>, clock: Pick<Clock, 'now'>) {
  return async (
    { workspaceId, occurredAt, data: { emailId, labelIds, compared } }: EventOf<'email.classified'>,
    { replays }: Pick<Work, 'replays'>,
  ): Promise<void> => {
    const latest = occurredAt.getTime() + BETWEEN_CLOCKS_MS;
    const active = await deps.mail.activeRules(workspaceId);
    const rules = active.filter(({ createdAt }) => createdAt.getTime() <= latest);
    const isYoung = (replays ?? 0) === 0 && clock.now() - occurredAt.getTime() < YOUNG_MS;
    await runRules(deps, { workspaceId, emailId, labelIds, compared, replays, isYoung }, mayApply(rules, compared));
    recent.add(emailId);
  };
}
