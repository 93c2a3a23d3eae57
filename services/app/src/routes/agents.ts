import type { Scope } from '@postroom/contract/lists';
import type { SendingLevel } from '@postroom/contract/sending-levels';
import type { Grant } from '@postroom/proto/postroom/v1/identity';
import type { AgentSending } from '@postroom/proto/postroom/v1/outbound_send';
import { z } from 'zod';
import type { AgentSendingAnswer, GrantAnswer, GrantListAnswer } from '../answers/answers.ts';
import { namesOfMembers } from './member-names.ts';
import { defineAppRoute, type WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

const sendingRequest = z.strictObject({ isStopped: z.boolean() });

export const agentAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/grants',
    // identity shows members their own.
    needs: 'member',
    call: async (_input, services, visit): Promise<GrantListAnswer> => {
      const actorId = visit.personId;
      const { items } = await services.identity.listGrants({ actorId }, visit);
      const agentIds = items.map(({ id }) => id);
      const [sending, use, names] = await Promise.all([
        services.outboundSend.readAgentSending({ actorId, agentIds }, visit),
        services.activity.listKeyUse({}, visit),
        namesOfMembers(services, visit),
      ]);
      const sends = new Map(sending.today.map((one) => [one.agentId, one.sends]));
      // The gateway notes the use of a grant as that of a key.
      const uses = new Map(use.items.map((one) => [one.keyId, one.lastUsedAt]));
      return {
        items: items.map((grant) => toJsonGrant(grant, sends.get(grant.id) ?? 0, uses.get(grant.id) ?? null)),
        sending: toJsonSending(sending, names),
      };
    },
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/workspaces/{workspaceId}/grants/{grantId}',
    needs: 'member',
    status: 204,
    call: ({ params: { grantId } }, { identity }, visit) =>
      identity.revokeGrant({ actorId: visit.personId, grantId }, visit),
  }),
  defineAppRoute({
    method: 'PUT',
    path: '/workspaces/{workspaceId}/agent-sending',
    needs: 'admin',
    body: sendingRequest,
    call: async ({ body: { isStopped: stopped } }, services, visit) => ({
      sending: await setSending(stopped, services, visit),
    }),
  }),
];

async function setSending(stopped: boolean, services: AppServices, visit: WorkspaceVisit): Promise<AgentSendingAnswer> {
  const [sending, names] = await Promise.all([
    services.outboundSend.setAgentSending({ actorId: visit.personId, stopped }, visit),
    namesOfMembers(services, visit),
  ]);
  return toJsonSending(sending, names);
}

function toJsonGrant(grant: Grant, sendsToday: number, lastUsedAt: string | null): GrantAnswer {
  const { id, clientName, clientHost, level, scopes, personId, personName, createdAt } = grant;
  return {
    id,
    clientName,
    clientHost,
    level: level as SendingLevel,
    scopes: scopes as Scope[],
    person: { id: personId, name: personName || personId },
    createdAt,
    lastUsedAt,
    sendsToday,
  };
}

function toJsonSending(sending: AgentSending, names: ReadonlyMap<string, string>): AgentSendingAnswer {
  const { stopped: isStopped, stoppedAt = null, stoppedBy, sendsPerDay } = sending;
  return {
    isStopped,
    stoppedAt,
    stoppedBy: stoppedBy === undefined ? null : (names.get(stoppedBy) ?? stoppedBy),
    sendsPerDay,
  };
}
