import { isPaid, planInForce, planLimits } from '@postroom/contract/plans';
import type { Allowance } from '@postroom/limits/limiter';
import type { ApiKey, ResolveKeyResponse, Workspace } from '@postroom/proto/postroom/v1/workspace';

/** The caller, once the key is known to be valid. */
export interface Caller {
  workspaceId: string;
  key: Pick<ApiKey, 'id' | 'name'>;
  isSuspended: boolean;
  scopes: readonly string[];
  maySend: boolean;
  planIsPaid: boolean;
  allowance: Allowance;
}

/** Keys are judged on every request, so that what was remembered of them for seconds still expires to the second. */
export function callerFrom(key: ApiKey, workspace: Workspace, now: number): Caller {
  const endsAt = workspace.planUntil === undefined ? null : Date.parse(workspace.planUntil);
  const plan = planInForce(workspace.plan, endsAt, now);
  return {
    workspaceId: workspace.id,
    key,
    isSuspended: workspace.isSuspended,
    scopes: key.scopes,
    maySend: key.allowOutboundSend && key.scopes.includes('write'),
    planIsPaid: isPaid(plan),
    allowance: planLimits[plan],
  };
}

export type Known = Required<Pick<ResolveKeyResponse, 'key' | 'workspace'>>;
