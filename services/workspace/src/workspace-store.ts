import type { Collections } from '@postroom/mail-store/collections';
import type { WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit } from '@postroom/mail-store/time-limit';
import type { Call } from '@postroom/rpc/call';

type Limit = Pick<Call, 'remainingMs'>;
type Changes = Partial<Pick<WorkspaceDocument, 'plan' | 'planUntil' | 'suspendedAt'>>;

export function createWorkspaceStore({ workspaces }: Collections) {
  return {
    insert: async (workspaceId: string, fields: Omit<WorkspaceDocument, '_id'>): Promise<WorkspaceDocument> => {
      const workspace = { _id: workspaceId, ...fields };
      await workspaces.create(workspace);
      return workspace;
    },

    find: (workspaceId: string, limit: Limit): Promise<WorkspaceDocument | null> =>
      workspaces.findOne({ _id: workspaceId }, null, timeLimit(limit)).lean(),

    change: (workspaceId: string, changes: Changes, limit: Limit): Promise<WorkspaceDocument | null> =>
      workspaces
        .findOneAndUpdate({ _id: workspaceId }, { $set: changes }, { returnDocument: 'after', ...timeLimit(limit) })
        .lean(),

    /** Keeps the moment of the first suspension when it is suspended again. */
    suspend: async (workspaceId: string, suspendedAt: Date, limit: Limit): Promise<void> => {
      await workspaces.updateOne({ _id: workspaceId, suspendedAt: null }, { $set: { suspendedAt } }, timeLimit(limit));
    },
  };
}

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;
