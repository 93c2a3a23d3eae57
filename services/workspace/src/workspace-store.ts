import type { Collections } from '@postroom/mail-store/collections';
import type { WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit, type Patience } from '@postroom/mail-store/time-limit';

type Changes = Partial<Pick<WorkspaceDocument, 'plan' | 'planUntil' | 'suspendedAt'>>;

export function createWorkspaceStore({ workspaces }: Collections) {
  return {
    insert: async (workspaceId: string, fields: Omit<WorkspaceDocument, '_id'>): Promise<WorkspaceDocument> => {
      const workspace = { _id: workspaceId, ...fields };
      await workspaces.create(workspace);
      return workspace;
    },

    find: (workspaceId: string, patience: Patience): Promise<WorkspaceDocument | null> =>
      workspaces.findOne({ _id: workspaceId }, null, timeLimit(patience)).lean(),

    change: (workspaceId: string, changes: Changes, patience: Patience): Promise<WorkspaceDocument | null> =>
      workspaces
        .findOneAndUpdate({ _id: workspaceId }, { $set: changes }, { returnDocument: 'after', ...timeLimit(patience) })
        .lean(),

    /** Keeps the moment of the first suspension when it is suspended again. */
    suspend: async (workspaceId: string, suspendedAt: Date, patience: Patience): Promise<void> => {
      await workspaces.updateOne(
        { _id: workspaceId, suspendedAt: null },
        { $set: { suspendedAt } },
        timeLimit(patience),
      );
    },
  };
}

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;
