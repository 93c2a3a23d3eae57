import { type Role, ROLES } from '@postroom/contract/roles';
import { ApiError } from '@postroom/errors/api-error';
import type { MemberPart, PersonDocument } from '@postroom/mail-store/documents/identity';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import type { IdentityServiceDefinition, Member, Membership } from '@postroom/proto/postroom/v1/identity';
import type { Handlers } from '@postroom/rpc/definition';
import { z } from 'zod';
import { parseRequest } from '@postroom/rpc/parse-request';
import { changeMembers } from './change-members.ts';
import type { MemberStore, PersonalStore } from './member-store.ts';
import { mayGive, requireAdmin, roleOf, withMember, withoutMember, withRole } from './membership.ts';

export type { MemberStore, PersonalStore } from './member-store.ts';
export { roleOf } from './membership.ts';

export interface MemberDeps {
  members: MemberStore;
  people: { findAll(personIds: readonly string[], budget: TimeBudget): Promise<PersonDocument[]> };
}

export const roleField = z.enum(ROLES, `must be one of ${ROLES.join(', ')}`);
const roleRules = z.object({ role: roleField });

export function memberHandlers({ members, people }: MemberDeps) {
  return {
    listMembers: async (_request, call) => {
      const { members: found } = await members.load(call.workspaceId, call);
      const ids = found.map(({ personId }) => personId);
      const byId = new Map((await people.findAll(ids, call)).map((person) => [person._id, person]));
      return { items: found.map((member) => toMessageMember(member, byId.get(member.personId))) };
    },

    changeRole: async (request, call) => {
      const { actorId, personId } = request;
      const { role } = parseRequest(roleRules, request);
      const changed = await changeMembers(
        call.workspaceId,
        (found) => withRole(found, actorId, personId, role),
        members,
        call,
      );
      const member = changed.find((one) => one.personId === personId) as MemberPart;
      const [person] = await people.findAll([personId], call);
      return toMessageMember(member, person);
    },

    removeMember: async ({ actorId, personId }, call) => {
      await changeMembers(call.workspaceId, (found) => withoutMember(found, actorId, personId), members, call);
      return {};
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

function toMessageMember({ personId, role, joinedAt }: MemberPart, person: PersonDocument | undefined): Member {
  return { personId, email: person?.email ?? '', name: person?.name ?? '', role, joinedAt: joinedAt.toISOString() };
}

export async function membershipsOf(
  personId: string,
  personal: PersonalStore,
  budget: TimeBudget,
): Promise<Membership[]> {
  const found = await personal.everyMembership(personId, budget);
  const ids = found.map(({ workspaceId }) => workspaceId);
  const names = new Map((await personal.everyWorkspace(ids, budget)).map(({ _id, name }) => [_id, name]));
  return found.flatMap(({ workspaceId, members }) => {
    const role = roleOf(members, personId);
    return role ? [{ workspaceId, workspaceName: names.get(workspaceId) ?? '', role }] : [];
  });
}

/**
 * Somebody who is a member already keeps their role. Where the inviter may not give this role any more, the invitation is
 * void: who is removed leaves no way back in.
 */
export async function join(
  workspaceId: string,
  joining: MemberPart,
  inviterId: string | null,
  members: MemberStore,
  budget: TimeBudget,
): Promise<void> {
  const change = (found: readonly MemberPart[]) => {
    if (inviterId !== null && !mayGive(found, inviterId, joining.role)) throw new ApiError('LINK_NOT_VALID');
    return withMember(found, joining);
  };
  await changeMembers(workspaceId, change, members, budget);
}

/** Throws ROLE_NOT_ALLOWED unless the actor may give this role. */
export async function requireInviter(
  workspaceId: string,
  { actorId, role }: { actorId: string; role: Role },
  members: MemberStore,
  budget: TimeBudget,
): Promise<void> {
  requireAdmin((await members.load(workspaceId, budget)).members, actorId, role);
}
