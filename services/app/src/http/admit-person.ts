import { isAtLeast, type Role } from '@postroom/contract/roles';
import { ApiError } from '@postroom/errors/api-error';
import type { AdmitPersonResponse } from '@postroom/proto/postroom/v1/identity';
import type { RecentAnswers } from './recent-answers.ts';
import type { PersonalVisit, AppRoute, AppServices, PageVisit, WorkspaceVisit } from '../routes/table.ts';

const STRANGER: AdmitPersonResponse = {};

/** The visit with the facts that the route needs: the person, and what they are in the workspace of the path. */
export async function admitPerson(
  { method, needs }: Pick<AppRoute, 'method' | 'needs'>,
  params: Readonly<Record<string, string>>,
  visit: PageVisit,
  { services: { identity }, recent }: { services: Pick<AppServices, 'identity'>; recent: RecentAnswers },
): Promise<PageVisit | PersonalVisit | WorkspaceVisit> {
  if (needs === 'anyone') return visit;
  const { workspaceId } = params;
  const isChange = method !== 'GET';
  const request = { token: visit.token, workspaceId, withName: isChange };
  const { personId, sessionId, name = '', role } = visit.token ? await identity.admitPerson(request, visit) : STRANGER;
  if (personId === undefined || sessionId === undefined) throw new ApiError('SIGN_IN_REQUIRED');
  const actor = { kind: 'person', id: personId, name, address: visit.visitor.address } as const;
  const personal = { ...visit, personId, sessionId, ...(isChange && { actor }) };
  if (needs === 'person') return personal;
  // A workspace of others and one that does not exist are the same to a stranger.
  if (workspaceId === undefined || role === undefined) throw new ApiError('NOT_FOUND');
  if (!isAtLeast(role as Role, needs)) throw new ApiError('ROLE_NOT_ALLOWED', { details: { role, needed: needs } });
  const shared: WorkspaceVisit['shared'] = (name, make) => recent.get(workspaceId, name, make);
  return { ...personal, workspaceId, role: role as Role, shared };
}
