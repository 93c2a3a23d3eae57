import { isPaid, planInForce, planLimits } from '@postroom/contract/plans';
import type { Allowance } from '@postroom/limits/limiter';
import type { Agent } from '@postroom/proto/postroom/v1/outbound_send';
import type { ApiKey, Workspace } from '@postroom/proto/postroom/v1/workspace';

/** The caller, once the key is known to be valid. */
export interface Caller {
  workspaceId: string;
  key: Pick<ApiKey, 'id' | 'name'>;
  isSuspended: boolean;
  scopes: readonly string[];
  maySend: boolean;
  /** The same as an agent, where the call is one of the MCP server. */
  agent: Agent;
  planIsPaid: boolean;
  allowance: Allowance;
}

/** Keys are judged on every request, so that what was remembered of them for seconds still expires to the second. */
export function callerFrom({ key, workspace, agent }: Known, now: number): Caller {
  const endsAt = workspace.planUntil === undefined ? null : Date.parse(workspace.planUntil);
  const plan = planInForce(workspace.plan, endsAt, now);
  const maySend = key.allowOutboundSend && key.scopes.includes('write');
  return {
    workspaceId: workspace.id,
    key,
    agent: agent ?? { kind: 'key', id: key.id, name: key.name, level: maySend ? 'send' : 'drafts' },
    isSuspended: workspace.isSuspended,
    scopes: key.scopes,
    maySend,
    planIsPaid: isPaid(plan),
    allowance: planLimits[plan],
  };
}

/** The known facts about a secret. The agent is that of an access token, whose key is made of its grant. */
export interface Known {
  key: ApiKey;
  workspace: Workspace;
  agent?: Agent;
}
