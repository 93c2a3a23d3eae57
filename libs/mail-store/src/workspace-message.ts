import { planInForce } from '@postroom/contract/plans';
import type { Workspace } from '@postroom/proto/postroom/v1/workspace';
import type { WorkspaceDocument } from './documents/workspace.ts';

export function toMessageWorkspace(workspace: WorkspaceDocument, now: number): Workspace {
  return {
    id: workspace._id,
    name: workspace.name,
    plan: workspace.plan,
    planUntil: workspace.planUntil?.toISOString(),
    planInForce: planInForce(workspace.plan, workspace.planUntil?.getTime() ?? null, now),
    isSuspended: workspace.suspendedAt !== null,
    createdAt: workspace.createdAt.toISOString(),
  };
}
