import { planInForce } from '@postroom/contract/plans';
import type { ApiKeyDocument, WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import type { ApiKey, Workspace } from '@postroom/proto/postroom/v1/workspace';

const moment = (date: Date | null) => date?.toISOString();

export function toMessageWorkspace(workspace: WorkspaceDocument, now: number): Workspace {
  return {
    id: workspace._id,
    name: workspace.name,
    plan: workspace.plan,
    planUntil: moment(workspace.planUntil),
    planInForce: planInForce(workspace.plan, workspace.planUntil?.getTime() ?? null, now),
    isSuspended: workspace.suspendedAt !== null,
    createdAt: workspace.createdAt.toISOString(),
  };
}

/** Without the hash: nobody outside this service has a use for it. */
export function toMessageKey(key: ApiKeyDocument): ApiKey {
  return {
    id: key._id,
    name: key.name,
    scopes: key.scopes,
    allowOutboundSend: key.allowOutboundSend,
    expiresAt: moment(key.expiresAt),
    revokedAt: moment(key.revokedAt),
    createdAt: key.createdAt.toISOString(),
  };
}
