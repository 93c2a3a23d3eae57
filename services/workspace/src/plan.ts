import type { Plan, WorkspaceDocument } from '@postroom/mail-store/documents/workspace';

const KEY_CAPS: Record<Plan, number> = { free: 2, premium: 10, expert: 50 };

/** What the workspace may do now: a subscription that has ended leaves it with the Free plan. */
export function planInForce(workspace: Pick<WorkspaceDocument, 'plan' | 'planUntil'>, now: number): Plan {
  const hasEnded = workspace.planUntil !== null && workspace.planUntil.getTime() <= now;
  return hasEnded ? 'free' : workspace.plan;
}

export function keyCap(plan: Plan): number {
  return KEY_CAPS[plan];
}
