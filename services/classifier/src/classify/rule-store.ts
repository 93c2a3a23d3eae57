import type { Reads } from '@postroom/mail-store/access';
import type { AiLabelRuleDocument } from '@postroom/mail-store/documents/label';
import { livingLabels } from '@postroom/mail-store/label-ref';
import { QUERY_BUDGET, QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { createRecentIds } from '@postroom/runtime/recent-ids';

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

const MOST_KNOWN = 10_000;

/** A rule lives as long as its label does. */
export function createRuleStore(collections: Reads<'aiLabelRules' | 'labels'>) {
  const seenLiving = createRecentIds(MOST_KNOWN);

  const living = async (workspaceId: string, rules: readonly Rule[]): Promise<Rule[]> => {
    const labelIds = rules.map(({ labelId }) => labelId);
    const labels = await livingLabels(collections, workspaceId, labelIds, QUERY_BUDGET);
    const ids = new Set(labels.map(({ _id }) => _id));
    for (const id of ids) seenLiving.add(id);
    return rules.filter(({ labelId }) => ids.has(labelId));
  };

  return {
    /**
     * Reads only labels that it has not seen before. A deleted label takes its rule with it a moment later, and is read
     * again before a label is put on or a reply is prepared.
     */
    async list(workspaceId: string): Promise<Rule[]> {
      const rules = await collections.aiLabelRules
        .find({ workspaceId }, FIELDS, QUERY_LIMIT)
        .sort({ createdAt: 1, _id: 1 })
        .lean<Rule[]>();
      return rules.every(({ labelId }) => seenLiving.has(labelId)) ? rules : living(workspaceId, rules);
    },

    /** Those of these rules whose label is there now. */
    living,
  };
}
