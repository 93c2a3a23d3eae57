import type { Allowance } from '@postroom/limits/limiter';
import type { ApiKey, ResolveKeyResponse, Workspace } from '@postroom/proto/postroom/v1/workspace';

/** Who calls, once the key is known to be good. */
export interface Caller {
  workspaceId: string;
  isSuspended: boolean;
  scopes: readonly string[];
  maySend: boolean;
  planIsPaid: boolean;
  allowance: Allowance;
}

const FREE: Allowance = { perMinute: 60, perMonth: 10_000 };
const ALLOWANCES: Readonly<Record<string, Allowance>> = {
  free: FREE,
  premium: { perMinute: 300, perMonth: 200_000 },
  expert: { perMinute: 1_000, perMonth: 1_000_000 },
};

/** Keys are judged on every request, so that what was remembered of them for seconds still expires to the second. */
export function callerFrom(key: ApiKey, workspace: Workspace, now: number): Caller {
  const plan = planInForce(workspace, now);
  return {
    workspaceId: workspace.id,
    isSuspended: workspace.isSuspended,
    scopes: key.scopes,
    maySend: key.allowOutboundSend && key.scopes.includes('write'),
    planIsPaid: plan !== 'free',
    allowance: ALLOWANCES[plan] ?? FREE,
  };
}

function planInForce({ plan, planUntil }: Workspace, now: number): string {
  const hasEnded = planUntil !== undefined && Date.parse(planUntil) <= now;
  return hasEnded ? 'free' : plan;
}

export type Known = Required<Pick<ResolveKeyResponse, 'key' | 'workspace'>>;
