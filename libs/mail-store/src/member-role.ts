import type { Role } from '@postroom/contract/roles';
import type { Reads } from './access.ts';
import { timeLimit, type TimeBudget } from './time-limit.ts';

/** Undefined for a person who is not a member. Every call of a page asks, so one member is read, without mongoose. */
export async function findMemberRole(
  { workspaceMembers }: Reads<'workspaceMembers'>,
  workspaceId: string,
  personId: string,
  budget: TimeBudget,
): Promise<Role | undefined> {
  const [found] = await workspaceMembers.collection
    .find(
      { _id: workspaceId as never, workspaceId },
      { projection: { _id: 0, members: { $elemMatch: { personId } } }, ...timeLimit(budget) },
    )
    .toArray();
  const [member] = (found?.['members'] ?? []) as { role: Role }[];
  return member?.role;
}
