import type { Writes } from '@postroom/mail-store/access';
import type { WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

type Changes = Partial<Pick<WorkspaceDocument, 'plan' | 'planUntil' | 'suspendedAt'>>;

export function createWorkspaceStore({ workspaces }: Writes<'workspaces'>) {
  return {
    insert: async (workspaceId: string, fields: Omit<WorkspaceDocument, '_id'>): Promise<WorkspaceDocument> => {
      const workspace = { _id: workspaceId, ...fields };
      await workspaces.create(workspace);
      return workspace;
    },

    find: (workspaceId: string, budget: TimeBudget): Promise<WorkspaceDocument | null> =>
      workspaces.findOne({ _id: workspaceId }, null, timeLimit(budget)).lean(),

    change: (workspaceId: string, changes: Changes, budget: TimeBudget): Promise<WorkspaceDocument | null> =>
      workspaces
        .findOneAndUpdate({ _id: workspaceId }, { $set: changes }, { returnDocument: 'after', ...timeLimit(budget) })
        .lean(),

    /** Keeps the moment of the first suspension when it is suspended again. */
    suspend: async (workspaceId: string, suspendedAt: Date, budget: TimeBudget): Promise<void> => {
      await workspaces.updateOne({ _id: workspaceId, suspendedAt: null }, { $set: { suspendedAt } }, timeLimit(budget));
    },
  };
}

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;
