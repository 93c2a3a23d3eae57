import { isAtLeast, type Role } from '@postroom/contract/roles';
import { ApiError } from '@postroom/errors/api-error';
import type { PersonalVisit, AppRoute, AppServices, PageVisit, WorkspaceVisit } from '../routes/table.ts';

/** The visit with the facts that the route needs: the person, and what they are in the workspace of the path. */
export async function admitPerson(
  { method, needs }: Pick<AppRoute, 'method' | 'needs'>,
  params: Readonly<Record<string, string>>,
  visit: PageVisit,
  { identity }: Pick<AppServices, 'identity'>,
): Promise<PageVisit | PersonalVisit | WorkspaceVisit> {
  if (needs === 'anyone') return visit;
  const { person, session } = visit.token ? await identity.resolveSession({ token: visit.token }, visit) : {};
  if (!person || !session) throw new ApiError('SIGN_IN_REQUIRED');
  const { id, name, email } = person;
  const actor = { kind: 'person', id, name: name || email, address: visit.visitor.address } as const;
  const personal = { ...visit, person, session, ...(method !== 'GET' && { actor }) };
  if (needs === 'person') return personal;
  const membership = person.memberships.find(({ workspaceId }) => workspaceId === params['workspaceId']);
  // A workspace of others and one that does not exist are the same to a stranger.
  if (!membership) throw new ApiError('NOT_FOUND');
  const role = membership.role as Role;
  if (!isAtLeast(role, needs)) throw new ApiError('ROLE_NOT_ALLOWED', { details: { role, needed: needs } });
  return { ...personal, workspaceId: membership.workspaceId, role };
}
