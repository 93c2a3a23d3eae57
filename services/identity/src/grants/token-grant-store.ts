import type { Reads, Writes } from '@postroom/mail-store/access';
import type { GrantDocument, OAuthRecordDocument } from '@postroom/mail-store/documents/identity';
import type { WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type GrantFinder = ReturnType<typeof createGrantFinder>;

/** Finds the grant of a token, before any workspace is known. */
export function createGrantFinder({
  grants,
  oauthRecords,
  workspaces,
}: Writes<'grants' | 'oauthRecords'> & Reads<'workspaces'>) {
  return {
    find: (grantId: string, budget: TimeBudget): Promise<GrantDocument | null> =>
      grants.findOne({ _id: grantId }, null, timeLimit(budget)).lean(),

    end: async (grantId: string, budget: TimeBudget): Promise<void> => {
      await grants.deleteOne({ _id: grantId }, timeLimit(budget));
    },

    accessToken: (
      tokenHash: string,
      budget: TimeBudget,
    ): Promise<Pick<OAuthRecordDocument, 'payload' | 'grantId' | 'expiresAt'> | null> =>
      oauthRecords
        .findOne({ _id: tokenHash, kind: 'AccessToken' }, { payload: 1, grantId: 1, expiresAt: 1 }, timeLimit(budget))
        .lean(),

    workspace: (workspaceId: string, budget: TimeBudget): Promise<WorkspaceDocument | null> =>
      workspaces.findOne({ _id: workspaceId }, null, timeLimit(budget)).lean(),
  };
}
