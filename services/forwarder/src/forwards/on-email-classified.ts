import type { Work } from '@postroom/events/bus';
import type { EventOf } from '@postroom/events/event';
import type { RecentIds } from '@postroom/runtime/recent-ids';
import { mayApply, type RunRulesDeps, runRules } from './run-rules.ts';

/** Runs the active rules of the workspace over one email. The event tells which of them can apply at all. */
export function createOnEmailClassified(deps: RunRulesDeps, recent: Pick<RecentIds, 'add'>) {
  return async (
    { workspaceId, data: { emailId, labelIds, compared } }: EventOf<'email.classified'>,
    { replays }: Pick<Work, 'replays'>,
  ): Promise<void> => {
    const rules = await deps.mail.activeRules(workspaceId);
    await runRules(deps, { workspaceId, emailId, labelIds, compared, replays }, mayApply(rules, compared));
    recent.add(emailId);
  };
}
