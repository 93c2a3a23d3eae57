import type { WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import type {
  ChangePlanRequest,
  CreateWorkspaceRequest,
  ListWorkspacesRequest,
  ResumeWorkspaceRequest,
  SuspendWorkspaceRequest,
} from '@postroom/proto/postroom/v1/workspace';
import type { Call } from '@postroom/rpc/call';
import type { Deps } from './deps.ts';
import { toMessageWorkspace } from './messages.ts';
import { changePlanRules, createWorkspaceRules, parseRequest } from './rules.ts';
import { unknownWorkspace } from './unknown.ts';

export function workspaceHandlers({ workspaces, directory, clock, ids }: Deps) {
  const answer = (workspace: WorkspaceDocument | null, workspaceId: string) => {
    if (!workspace) throw unknownWorkspace(workspaceId);
    return toMessageWorkspace(workspace, clock.now());
  };

  return {
    createWorkspace: async (request: CreateWorkspaceRequest, _call: Call) => {
      const { name, plan } = parseRequest(createWorkspaceRules, request);
      const fields = { name, plan, planUntil: null, suspendedAt: null, createdAt: clock.date() };
      const workspace = await workspaces.insert(ids('wsp'), fields);
      return toMessageWorkspace(workspace, clock.now());
    },

    listWorkspaces: async (_request: ListWorkspacesRequest, call: Call) => {
      const all = await directory.listWorkspaces(call);
      return { items: all.map((workspace) => toMessageWorkspace(workspace, clock.now())) };
    },

    suspendWorkspace: async ({ workspaceId }: SuspendWorkspaceRequest, call: Call) => {
      await workspaces.suspend(workspaceId, clock.date(), call);
      return answer(await workspaces.find(workspaceId, call), workspaceId);
    },

    resumeWorkspace: async ({ workspaceId }: ResumeWorkspaceRequest, call: Call) =>
      answer(await workspaces.change(workspaceId, { suspendedAt: null }, call), workspaceId),

    changePlan: async (request: ChangePlanRequest, call: Call) => {
      const { plan, until } = parseRequest(changePlanRules, request);
      const planUntil = until === undefined ? null : new Date(until);
      return answer(await workspaces.change(request.workspaceId, { plan, planUntil }, call), request.workspaceId);
    },
  };
}
