import type { Reads, Writes } from '@postroom/mail-store/access';
import type { MemberPart, WorkspaceMembersDocument } from '@postroom/mail-store/documents/identity';
import type { WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { findMemberRole } from '@postroom/mail-store/member-role';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type MemberStore = ReturnType<typeof createMemberStore>;

interface LoadedMembers {
  version: number;
  members: readonly MemberPart[];
}

export function createMemberStore({ workspaceMembers }: Writes<'workspaceMembers'>) {
  return {
    load: async (workspaceId: string, budget: TimeBudget): Promise<LoadedMembers> => {
      const found = await workspaceMembers
        .findOne({ _id: workspaceId, workspaceId }, null, timeLimit(budget))
        .lean<WorkspaceMembersDocument | null>();
      return found ?? { version: 0, members: [] };
    },

    role: (workspaceId: string, personId: string, budget: TimeBudget) =>
      findMemberRole({ workspaceMembers }, workspaceId, personId, budget),

    /** False when another call changed the members since they were read. */
    replace: async (
      workspaceId: string,
      version: number,
      members: readonly MemberPart[],
      budget: TimeBudget,
    ): Promise<boolean> => {
      const change = {
        members: [...members],
        personIds: members.map(({ personId }) => personId),
        version: version + 1,
      };
      if (version > 0) {
        const { matchedCount } = await workspaceMembers.updateOne(
          { _id: workspaceId, workspaceId, version },
          { $set: change },
          timeLimit(budget),
        );
        return matchedCount === 1;
      }
      try {
        await workspaceMembers.create({ _id: workspaceId, workspaceId, ...change });
        return true;
      } catch (error) {
        if (isAnyDuplicate(error)) return false;
        throw error;
      }
    },
  };
}

export type PersonalStore = ReturnType<typeof createPersonalStore>;

/** Finds the workspaces of a person. */
export function createPersonalStore({
  workspaceMembers,
  workspaces,
}: Writes<'workspaceMembers'> & Reads<'workspaces'>) {
  return {
    everyMembership: (personId: string, budget: TimeBudget): Promise<WorkspaceMembersDocument[]> =>
      workspaceMembers.find({ personIds: personId }, null, timeLimit(budget)).sort({ _id: 1 }).lean(),

    everyWorkspace: (workspaceIds: readonly string[], budget: TimeBudget): Promise<WorkspaceDocument[]> =>
      workspaces.find({ _id: { $in: [...workspaceIds] } }, null, timeLimit(budget)).lean(),
  };
}
