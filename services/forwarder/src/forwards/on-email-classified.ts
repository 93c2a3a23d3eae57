import type { Work } from '@postroom/events/bus';
import type { EventOf } from '@postroom/events/event';
import type { RecentIds } from '@postroom/runtime/recent-ids';
import { type RunRulesDeps, runRules } from './run-rules.ts';

/** Runs the active rules of the workspace over one email. */
export function createOnEmailClassified(deps: RunRulesDeps, recent: Pick<RecentIds, 'add'>) {
  return async (
    { workspaceId, data: { emailId, labelIds } }: EventOf<'email.classified'>,
    { replays }: Pick<Work, 'replays'>,
  ): Promise<void> => {
    await runRules(deps, { workspaceId, emailId, labelIds, replays }, await deps.mail.activeRules(workspaceId));
    recent.add(emailId);
  };
}
