import type { Reads } from '@postroom/mail-store/access';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { livingLabels } from '@postroom/mail-store/label-ref';
import { QUERY_BUDGET, QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { FORWARDED_FIELDS, type ForwardedEmail } from './mail-store.ts';

export type SweepStore = ReturnType<typeof createSweepStore>;
export type Classified = Pick<ClassificationDocument, '_id' | 'createdAt' | 'verdicts'>;

/** A position in the order in which the emails of a workspace were classified. */
export type ClassifiedPosition = Pick<Classified, '_id' | 'createdAt'>;

const FIELDS = { createdAt: 1, 'verdicts.labelId': 1, 'verdicts.applies': 1 } as const;

export function createSweepStore(
  collections: Reads<'autoForwardRules' | 'classifications' | 'emails' | 'labels' | 'autoForwardLogs'>,
) {
  const { autoForwardRules, classifications, emails, autoForwardLogs } = collections;
  return {
    emails(workspaceId: string, ids: readonly string[]): Promise<ForwardedEmail[]> {
      const known = { workspaceId, _id: { $in: [...ids] } };
      return emails.find(known, FORWARDED_FIELDS, QUERY_LIMIT).lean<ForwardedEmail[]>();
    },

    /** The names of AI labels, by their ids. */
    async aiLabels(workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
      const labels = await livingLabels(collections, workspaceId, ids, QUERY_BUDGET);
      return new Map(labels.flatMap(({ _id, name, isAiLabel }) => (isAiLabel ? [[_id, name] as const] : [])));
    },

    /** Those of these lines that a log has. */
    async logged(workspaceId: string, lineIds: readonly string[]): Promise<Set<string>> {
      const lines = await autoForwardLogs
        .find({ workspaceId, _id: { $in: [...lineIds] } }, { _id: 1 }, QUERY_LIMIT)
        .lean<{ _id: string }[]>();
      return new Set(lines.map(({ _id }) => _id));
    },

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
