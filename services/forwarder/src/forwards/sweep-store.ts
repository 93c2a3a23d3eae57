import type { Reads } from '@postroom/mail-store/access';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type SweepStore = ReturnType<typeof createSweepStore>;
export type Classified = Pick<ClassificationDocument, '_id' | 'createdAt' | 'verdicts'>;

/** A position in the order in which the emails of a workspace were classified. */
export type ClassifiedPosition = Pick<Classified, '_id' | 'createdAt'>;

const FIELDS = { createdAt: 1, 'verdicts.labelId': 1, 'verdicts.applies': 1 } as const;

export function createSweepStore({ autoForwardRules, classifications }: Reads<'autoForwardRules' | 'classifications'>) {
  return {
    /** Of every workspace: the first behind an id that has an active rule. */
    async everyWorkspacesNextWithRules(behind: string): Promise<string | undefined> {
      const rule = await autoForwardRules
        .findOne({ workspaceId: { $gt: behind }, isActive: true }, { workspaceId: 1 }, QUERY_LIMIT)
        .sort({ workspaceId: 1 })
        .lean<Pick<AutoForwardRuleDocument, 'workspaceId'> | null>();
      return rule?.workspaceId;
    },

    /** Emails that were classified behind a position and before a time, the first of them first. A backfill forwards nothing. */
    classified(workspaceId: string, behind: ClassifiedPosition, before: Date, limit: number): Promise<Classified[]> {
      const { _id, createdAt } = behind;
      const isBehind = { $or: [{ createdAt: { $gt: createdAt } }, { createdAt, _id: { $gt: _id } }] };
      return classifications
        .find(
          { workspaceId, isBackfill: false, createdAt: { $gte: createdAt, $lt: before }, ...isBehind },
          FIELDS,
          QUERY_LIMIT,
        )
        .sort({ createdAt: 1, _id: 1 })
        .limit(limit)
        .lean<Classified[]>();
    },
  };
}
