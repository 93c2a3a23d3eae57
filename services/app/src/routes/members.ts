import { ROLES } from '@postroom/contract/roles';
import { z } from 'zod';
import { toJsonInvitation, toJsonMember } from './people.ts';
import { defineAppRoute } from './route.ts';

const role = z.enum(ROLES);
const roleRequest = z.strictObject({ role });
const inviteRequest = z.strictObject({ email: z.string(), role });

/** The token stands behind the #, which browsers send to nobody. */
const linkOf = (appUrl: string, token: string) => `${appUrl}/app/link#${token}`;

export const memberAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/members',
    needs: 'member',
    call: async (_input, { identity }, visit) => ({
      items: (await identity.listMembers({}, visit)).items.map(toJsonMember),
    }),
  }),
  defineAppRoute({
    method: 'PATCH',
    path: '/workspaces/{workspaceId}/members/{personId}',
    needs: 'admin',
    body: roleRequest,
    call: async ({ params: { personId }, body }, { identity }, visit) => ({
      member: toJsonMember(await identity.changeRole({ actorId: visit.personId, personId, ...body }, visit)),
    }),
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/workspaces/{workspaceId}/members/{personId}',
    // Everybody may leave; identity knows who may remove whom.
    needs: 'member',
    status: 204,
    call: ({ params: { personId } }, { identity }, visit) =>
      identity.removeMember({ actorId: visit.personId, personId }, visit),
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/invitations',
    needs: 'admin',
    call: async (_input, { identity }, visit) => ({
      items: (await identity.listInvitations({}, visit)).items.map(toJsonInvitation),
    }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/invitations',
    needs: 'admin',
    body: inviteRequest,
    status: 201,
    call: async ({ body }, { identity }, visit) => {
      const { invitation, token } = await identity.inviteMember({ actorId: visit.personId, ...body }, visit);
      return { invitation: toJsonInvitation(invitation), link: linkOf(visit.appUrl, token) };
    },
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/workspaces/{workspaceId}/invitations/{invitationId}',
    needs: 'admin',
    status: 204,
    call: ({ params: { invitationId } }, { identity }, visit) =>
      identity.revokeInvitation({ actorId: visit.personId, invitationId }, visit),
  }),
];
