import type { EventOf } from '@postroom/events/event';
import type { RecentIds } from './recent-ids.ts';
import { type RunRulesDeps, runRules } from './run-rules.ts';

/** Runs the active rules of the workspace over one email. */
export function createOnEmailClassified(deps: RunRulesDeps, recent: Pick<RecentIds, 'add'>) {
  return async ({ workspaceId, data: { emailId, labelIds } }: EventOf<'email.classified'>): Promise<void> => {
    await runRules(deps, { workspaceId, emailId, labelIds }, await deps.mail.activeRules(workspaceId));
    recent.add(emailId);
  };
}
