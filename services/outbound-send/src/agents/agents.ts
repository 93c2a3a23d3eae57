import { isOneOf, mustBeOneOf } from '@postroom/contract/lists';
import { isAtLeast, type Role } from '@postroom/contract/roles';
import { SENDING_LEVELS, type SendingLevel } from '@postroom/contract/sending-levels';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import type { AgentPart } from '@postroom/mail-store/documents/send';
import { type TimeBudget, QUERY_BUDGET } from '@postroom/mail-store/time-limit';
import {
  AgentSending,
  type Agent,
  type OutboundSendOperatorServiceDefinition,
  type OutboundSendServiceDefinition,
} from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import type { ServiceContext } from '@postroom/runtime/service';
import type { AgentStore } from './agent-store.ts';

export type { AgentStore } from './agent-store.ts';

export interface AgentDeps {
  context: Pick<ServiceContext, 'clock'>;
  agents: AgentStore;
  /** Of one grant. */
  agentSendsPerDay: number;
}

export interface SendingAgent {
  agent: AgentPart;
  level: SendingLevel;
}

const DAY_MS = 86_400_000;
const KINDS = ['grant', 'key'] as const;

export function agentHandlers(deps: AgentDeps) {
  return {
    readAgentSending: async ({ actorId, agentIds }, call) => {
      await requireMember(call.workspaceId, actorId, deps, call);
      return sendingOf(agentIds, deps, call);
    },

    setAgentSending: async ({ actorId, stopped }, call) => {
      const role = await requireMember(call.workspaceId, actorId, deps, call);
      if (!isAtLeast(role, 'admin')) throw new ApiError('ROLE_NOT_ALLOWED', { details: { role, needed: 'admin' } });
      return setSending({ stopped, by: actorId }, deps, call);
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}

export function agentOperatorHandlers(deps: AgentDeps) {
  return {
    showAgentSending: ({ agentIds }, call) => sendingOf(agentIds, deps, call),
    switchAgentSending: ({ stopped }, call) => setSending({ stopped, by: null }, deps, call),
  } satisfies Partial<Handlers<OutboundSendOperatorServiceDefinition>>;
}

/** A call without an agent is refused, so that a caller that forgets it sends nothing. */
export function readAgent(agent: Agent | undefined): SendingAgent {
  if (!agent || agent.id === '') refuse('agent', 'must say on whose behalf the draft is sent');
  const { kind, level, id, name, personId = null } = agent;
  if (!isOneOf(KINDS, kind)) refuse('agent.kind', mustBeOneOf(KINDS));
  if (!isOneOf(SENDING_LEVELS, level)) refuse('agent.level', mustBeOneOf(SENDING_LEVELS));
  return { level, agent: { kind, id, name, personId } };
}

export async function requireMember(
  workspaceId: string,
  personId: string,
  { agents }: Pick<AgentDeps, 'agents'>,
  budget: TimeBudget,
): Promise<Role> {
  const role = await agents.role(workspaceId, personId, budget);
  if (!role) throw new ApiError('PERSON_NOT_FOUND');
  return role;
}

export async function requireNotStopped(
  workspaceId: string,
  { agents }: Pick<AgentDeps, 'agents'>,
  budget: TimeBudget,
): Promise<void> {
  if (!(await agents.stop(workspaceId, budget))) return;
  throw notAllowed('All sending by agents of this workspace is stopped; an owner or admin can allow it again.');
}

/** A client that was revoked is not trusted with what it asked for before. A key never asks: it may send, or it may not. */
export async function requireStanding(
  workspaceId: string,
  agent: AgentPart | null | undefined,
  { agents, context }: Pick<AgentDeps, 'agents' | 'context'>,
  budget: TimeBudget,
): Promise<void> {
  if (agent?.kind !== 'grant' || (await agents.grantStands(workspaceId, agent.id, context.clock.date(), budget)))
    return;
  throw notAllowed(
    'The client that asks for this was revoked, or its person has left the workspace. Refuse it; a person or another client can send the draft.',
  );
}

export const agentsAreStopped =
  ({ agents }: Pick<AgentDeps, 'agents'>) =>
  async (workspaceId: string): Promise<boolean> =>
    (await agents.stop(workspaceId, QUERY_BUDGET)) !== null;

/** Keys have the limits of the workspace; a grant has a bound of its own. */
export async function countSend(
  workspaceId: string,
  sendId: string,
  { kind, id: agentId }: AgentPart,
  { agents, agentSendsPerDay: most, context: { clock } }: AgentDeps,
  budget: TimeBudget,
): Promise<void> {
  if (kind === 'key') return;
  const day = dayOf(clock);
  const resetAt = new Date(Date.parse(day) + DAY_MS);
  const expiresAt = new Date(resetAt.getTime() + DAY_MS);
  if (await agents.count(workspaceId, sendId, { agentId, day, most, expiresAt }, budget)) return;
  throw new ApiError('RATE_LIMIT_EXCEEDED', {
    message: `This client has asked for ${most} sends today, and may ask for no more before ${resetAt.toISOString()}.`,
    details: { resetAt: resetAt.toISOString() },
  });
}

export const notAllowed = (message: string, details?: Record<string, unknown>): ApiError =>
  new ApiError('OUTBOUND_SEND_NOT_ALLOWED', { message, ...(details && { details }) });

async function setSending(
  { stopped, by }: { stopped: boolean; by: string | null },
  deps: AgentDeps,
  call: Call,
): Promise<AgentSending> {
  const { agents, context } = deps;
  if (stopped) await agents.beginStop(call.workspaceId, { stoppedBy: by, stoppedAt: context.clock.date() }, call);
  else await agents.endStop(call.workspaceId, call);
  return sendingOf([], deps, call);
}

async function sendingOf(agentIds: readonly string[], deps: AgentDeps, call: Call): Promise<AgentSending> {
  const { agents, agentSendsPerDay: sendsPerDay, context } = deps;
  const [stop, counts] = await Promise.all([
    agents.stop(call.workspaceId, call),
    agents.countsOf(call.workspaceId, agentIds, dayOf(context.clock), call),
  ]);
  const today = agentIds.flatMap((agentId, at) => (counts[at] ? [{ agentId, sends: counts[at] }] : []));
  if (!stop) return AgentSending.create({ stopped: false, sendsPerDay, today });
  const stoppedBy = stop.stoppedBy ?? undefined;
  return AgentSending.create({ stopped: true, stoppedAt: stop.stoppedAt.toISOString(), stoppedBy, sendsPerDay, today });
}

const dayOf = (clock: Pick<Clock, 'date'>): string => clock.date().toISOString().slice(0, 10);
