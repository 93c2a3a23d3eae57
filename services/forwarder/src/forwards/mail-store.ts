import { autoForwardLogId } from '@postroom/mail-store/auto-forward-log-id';
import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { livingLabels } from '@postroom/mail-store/label-ref';
import { QUERY_BUDGET, QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type ForwardedEmail = Pick<EmailDocument, '_id' | 'senderAddress' | 'subject' | 'folderType' | 'isAutomatic'>;
export type ForwardDataStore = ReturnType<typeof createForwardDataStore>;

export const FORWARDED_FIELDS = { senderAddress: 1, subject: 1, folderType: 1, isAutomatic: 1 } as const;

/** The data for the decision about a forward. Other services write all of it. */
export function createForwardDataStore(
  collections: Reads<'emails' | 'autoForwardRules' | 'autoForwardLogs' | 'labels'>,
) {
  const { emails, autoForwardRules, autoForwardLogs } = collections;
  return {
    email(workspaceId: string, emailId: string): Promise<ForwardedEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, FORWARDED_FIELDS, QUERY_LIMIT).lean<ForwardedEmail | null>();
    },

    /** In the order in which they run. */
    activeRules(workspaceId: string): Promise<AutoForwardRuleDocument[]> {
      return autoForwardRules
        .find({ workspaceId, isActive: true }, null, QUERY_LIMIT)
        .sort({ createdAt: 1, _id: 1 })
        .lean<AutoForwardRuleDocument[]>();
    },

    async aiLabelNames(workspaceId: string, labelIds: readonly string[]): Promise<string[]> {
      const labels = await livingLabels(collections, workspaceId, labelIds, QUERY_BUDGET);
      return labels.filter(({ isAiLabel }) => isAiLabel).map(({ name }) => name);
    },

    async isLogged(workspaceId: string, ruleId: string, emailId: string): Promise<boolean> {
      const line = { _id: autoForwardLogId(workspaceId, ruleId, emailId), workspaceId };
      return (await autoForwardLogs.findOne(line, { _id: 1 }, QUERY_LIMIT).lean()) !== null;
    },
  };
}
