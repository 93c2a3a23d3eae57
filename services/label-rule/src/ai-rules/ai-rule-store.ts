import type { Writes } from '@postroom/mail-store/access';
import type { AiLabelRuleDocument } from '@postroom/mail-store/documents/label';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import { workspaceItems } from '@postroom/mail-store/workspace-items';

type AiRuleChange = Partial<Omit<AiLabelRuleDocument, '_id' | 'workspaceId' | 'labelId' | 'createdAt'>>;
export type AiRuleStore = ReturnType<typeof createAiRuleStore>;

/** A rule lives as long as its label does: one whose label is not there, or is deleted, shows nowhere. */
export function createAiRuleStore({ aiLabelRules, labels }: Writes<'aiLabelRules' | 'labels'>) {
  const { list, find, insert } = workspaceItems(aiLabelRules);
  return {
    list,
    find,
    insert,

    /** Counts visible rules, and recent rules whose label may not exist yet. Remains of a crash do not count. */
    async countOthers(workspaceId: string, ruleId: string, since: Date, budget: TimeBudget): Promise<number> {
      const others = await aiLabelRules
        .find({ workspaceId, _id: { $ne: ruleId } }, { labelId: 1, createdAt: 1 }, timeLimit(budget))
        .lean<Pick<AiLabelRuleDocument, 'labelId' | 'createdAt'>[]>();
      const older = others.filter(({ createdAt }) => createdAt < since).map(({ labelId }) => labelId);
      const alive = { workspaceId, _id: { $in: older }, deletedAt: null };
      return others.length - older.length + (await labels.countDocuments(alive, timeLimit(budget)));
    },

    /** Changes the rule only while it is what the change was checked against. */
    change(
      workspaceId: string,
      { _id, updatedAt }: AiLabelRuleDocument,
      change: AiRuleChange,
      budget: TimeBudget,
    ): Promise<AiLabelRuleDocument | null> {
      return aiLabelRules
        .findOneAndUpdate(
          { _id, workspaceId, updatedAt },
          { $set: change },
          { ...timeLimit(budget), returnDocument: 'after' },
        )
        .lean<AiLabelRuleDocument | null>();
    },

    async delete(workspaceId: string, ruleId: string): Promise<void> {
      await aiLabelRules.deleteOne({ _id: ruleId, workspaceId });
    },

    async deleteOfLabel(workspaceId: string, labelId: string): Promise<void> {
      await aiLabelRules.deleteMany({ workspaceId, labelId });
    },
  };
}
