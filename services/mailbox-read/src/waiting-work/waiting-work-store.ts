import type { Reads } from '@postroom/mail-store/access';
import { notExpired } from '@postroom/mail-store/kept-for';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type WaitingWorkStore = ReturnType<typeof createWaitingWorkStore>;

const MOST = 1_000;
/** Each filter says the condition of a partial index, so that only the few emails of that index are read. */
const RULE_DRAFT = { isDraft: true, folderType: 'DRAFTS', 'draft.source': 'auto_draft' } as const;
const QUARANTINED = { 'classification.quarantinedAt': { $gt: new Date(0) } };

export function createWaitingWorkStore({
  emails,
  quarantinedMessages,
  deadLetters,
}: Reads<'emails' | 'quarantinedMessages' | 'deadLetters'>) {
  const upTo = (budget: TimeBudget) => ({ ...timeLimit(budget), limit: MOST });
  return {
    waitingReplies: (workspaceId: string, budget: TimeBudget): Promise<number> =>
      emails.countDocuments({ workspaceId, ...RULE_DRAFT, scheduledStatus: 'pending' }, upTo(budget)),

    ruleDrafts: (workspaceId: string, budget: TimeBudget): Promise<number> =>
      emails.countDocuments({ workspaceId, ...RULE_DRAFT, scheduledStatus: { $ne: 'pending' } }, upTo(budget)),

    quarantinedEmails: (workspaceId: string, budget: TimeBudget): Promise<number> =>
      emails.countDocuments({ workspaceId, ...QUARANTINED }, upTo(budget)),

    quarantinedMessages: (workspaceId: string, now: Date, budget: TimeBudget): Promise<number> =>
      quarantinedMessages.countDocuments({ workspaceId, ...notExpired(now) }, upTo(budget)),

    deadLetters: (workspaceId: string, budget: TimeBudget): Promise<number> =>
      deadLetters.countDocuments({ workspaceId }, upTo(budget)),
  };
}
