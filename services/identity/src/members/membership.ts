import { isAtLeast, type Role } from '@postroom/contract/roles';
import { ApiError } from '@postroom/errors/api-error';
import type { MemberPart } from '@postroom/mail-store/documents/identity';

export const MOST_WORKSPACE_MEMBERS = 500;

type Members = readonly MemberPart[];

export const roleOf = (members: Members, personId: string): Role | undefined =>
  members.find((member) => member.personId === personId)?.role;

/** A member keeps the role that they have. */
export function withMember(members: Members, joining: MemberPart): Members {
  if (roleOf(members, joining.personId)) return members;
  if (members.length < MOST_WORKSPACE_MEMBERS) return [...members, joining];
  const message = `A workspace has at most ${MOST_WORKSPACE_MEMBERS} members; remove one first.`;
  throw new ApiError('CONFLICT', { message });
}

/** Owners and admins change roles up to their own. */
export function withRole(members: Members, actorId: string, personId: string, role: Role): Members {
  const current = known(members, personId);
  requireAdmin(members, actorId, current);
  requireAdmin(members, actorId, role);
  return withOwner(members.map((member) => (member.personId === personId ? { ...member, role } : member)));
}

/** Everybody may leave, and owners and admins remove others whose role is not above their own. */
export function withoutMember(members: Members, actorId: string, personId: string): Members {
  const current = known(members, personId);
  if (actorId !== personId) requireAdmin(members, actorId, current);
  return withOwner(members.filter((member) => member.personId !== personId));
}

export function mayGive(members: Members, actorId: string, upTo: Role): boolean {
  const role = roleOf(members, actorId);
  return role !== undefined && isAtLeast(role, 'admin') && isAtLeast(role, upTo);
}

export function requireAdmin(members: Members, actorId: string, upTo: Role): void {
  if (mayGive(members, actorId, upTo)) return;
  const needed = upTo === 'owner' ? 'owner' : 'admin';
  throw new ApiError('ROLE_NOT_ALLOWED', { details: { role: roleOf(members, actorId) ?? null, needed } });
}

function known(members: Members, personId: string): Role {
  const role = roleOf(members, personId);
  if (role) return role;
  throw new ApiError('PERSON_NOT_FOUND');
}

function withOwner(members: Members): Members {
  if (members.some(({ role }) => role === 'owner')) return members;
  throw new ApiError('LAST_OWNER');
}
