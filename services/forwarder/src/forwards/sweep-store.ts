import type { Reads } from '@postroom/mail-store/access';
import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { AutoForwardRuleDocument, LabelDocument } from '@postroom/mail-store/documents/label';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { FORWARDED_FIELDS, type ForwardedEmail } from './mail-store.ts';

export type SweepStore = ReturnType<typeof createSweepStore>;
export type Classified = Pick<ClassificationDocument, '_id' | 'workspaceId' | 'createdAt' | 'verdicts'>;
type Owned<T> = T & { workspaceId: string };
type NamedLabel = Pick<LabelDocument, '_id' | 'workspaceId' | 'name'>;

/** A position in the order in which the emails of a workspace were classified. */
export type ClassifiedPosition = Pick<Classified, '_id' | 'createdAt'>;

const FIELDS = { workspaceId: 1, createdAt: 1, 'verdicts.labelId': 1, 'verdicts.applies': 1 } as const;

/** Reads of many workspaces at once: a sweep costs the same number of queries for one of them and for hundreds. */
export function createSweepStore(
  collections: Reads<'autoForwardRules' | 'classifications' | 'emails' | 'labels' | 'autoForwardLogs'>,
) {
  const { autoForwardRules, classifications, emails, labels, autoForwardLogs } = collections;
  return {
    everyWorkspacesEmails(workspaceIds: readonly string[], ids: readonly string[]): Promise<Owned<ForwardedEmail>[]> {
      return emails
        .find(of(workspaceIds, ids), { ...FORWARDED_FIELDS, workspaceId: 1 }, QUERY_LIMIT)
        .lean<Owned<ForwardedEmail>[]>();
    },

    everyWorkspacesAiLabels(workspaceIds: readonly string[], ids: readonly string[]): Promise<NamedLabel[]> {
      return labels
        .find({ ...of(workspaceIds, ids), isAiLabel: true, deletedAt: null }, { workspaceId: 1, name: 1 }, QUERY_LIMIT)
        .lean<NamedLabel[]>();
    },

    /** Those of these lines that a log has. */
    async everyWorkspacesLogged(workspaceIds: readonly string[], lineIds: readonly string[]): Promise<Set<string>> {
      const lines = await autoForwardLogs
        .find(of(workspaceIds, lineIds), { _id: 1 }, QUERY_LIMIT)
        .lean<{ _id: string }[]>();
      return new Set(lines.map(({ _id }) => _id));
    },

    /** The active rules of the workspaces behind an id, those of each workspace together. */
    everyWorkspacesActiveRules(behind: string, limit: number): Promise<AutoForwardRuleDocument[]> {
      return autoForwardRules
        .find({ workspaceId: { $gt: behind }, isActive: true }, null, QUERY_LIMIT)
        .sort({ workspaceId: 1, createdAt: 1, _id: 1 })
        .limit(limit)
        .lean<AutoForwardRuleDocument[]>();
    },

    /**
     * Emails that were classified behind a position and before a time, by workspace, the first of each first. A backfill
     * forwards nothing.
     */
    everyWorkspacesClassified(
      workspaceIds: readonly string[],
      { _id, createdAt }: ClassifiedPosition,
      before: Date,
      limit: number,
    ): Promise<Classified[]> {
      const isBehind = { $or: [{ createdAt: { $gt: createdAt } }, { createdAt, _id: { $gt: _id } }] };
      const wanted = { isBackfill: false, createdAt: { $gte: createdAt, $lt: before }, ...isBehind };
      return classifications
        .find({ workspaceId: { $in: [...workspaceIds] }, ...wanted }, FIELDS, QUERY_LIMIT)
        .sort({ workspaceId: 1, createdAt: 1, _id: 1 })
        .limit(limit)
        .lean<Classified[]>();
    },
  };
}

function of(workspaceIds: readonly string[], ids: readonly string[]) {
  return { workspaceId: { $in: [...workspaceIds] }, _id: { $in: [...ids] } };
}
