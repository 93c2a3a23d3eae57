import type { Reads } from '@postroom/mail-store/access';
import type { AiLabelRuleDocument } from '@postroom/mail-store/documents/label';
import { livingLabels } from '@postroom/mail-store/label-ref';
import { QUERY_BUDGET, QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type Rule = Pick<
  AiLabelRuleDocument,
  | '_id'
  | 'labelId'
  | 'condition'
  | 'autoDraftEnabled'
  | 'autoReplyEnabled'
  | 'autoReplyConfidenceThreshold'
  | 'autoReplyDelayMinutes'
  | 'compiledSince'
  | 'updatedAt'
>;

export type RuleStore = ReturnType<typeof createRuleStore>;

const FIELDS = {
  labelId: 1,
  condition: 1,
  autoDraftEnabled: 1,
  autoReplyEnabled: 1,
  autoReplyConfidenceThreshold: 1,
  autoReplyDelayMinutes: 1,
  compiledSince: 1,
  updatedAt: 1,
} as const;

/** A rule lives as long as its label does. */
export function createRuleStore(collections: Reads<'aiLabelRules' | 'labels'>) {
  return {
    async list(workspaceId: string): Promise<Rule[]> {
      const rules = await collections.aiLabelRules
        .find({ workspaceId }, FIELDS, QUERY_LIMIT)
        .sort({ createdAt: 1, _id: 1 })
        .lean<Rule[]>();
      const labelIds = rules.map(({ labelId }) => labelId);
      const living = new Set(
        (await livingLabels(collections, workspaceId, labelIds, QUERY_BUDGET)).map(({ _id }) => _id),
      );
      return rules.filter(({ labelId }) => living.has(labelId));
    },
  };
}
