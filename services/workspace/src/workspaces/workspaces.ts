import type { WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import { toMessageWorkspace } from '@postroom/mail-store/workspace-message';
import type { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { parseRequest } from '@postroom/rpc/parse-request';
import type { WorkspaceLookupStore } from '../lookup/workspace-lookup-store.ts';
import { changePlanRules, createWorkspaceRules, unknownWorkspace } from '../requests/requests.ts';
import type { WorkspaceStore } from './workspace-store.ts';

export type { WorkspaceStore };

export interface WorkspaceDeps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  workspaces: WorkspaceStore;
  lookup: Pick<WorkspaceLookupStore, 'listWorkspaces'>;
}

export function workspaceHandlers({ workspaces, lookup, context: { clock, ids } }: WorkspaceDeps) {
  const answer = (workspace: WorkspaceDocument | null, workspaceId: string) => {
    if (!workspace) throw unknownWorkspace(workspaceId);
    return toMessageWorkspace(workspace, clock.now());
  };

  return {
    createWorkspace: async (request, _call) => {
      const { name, plan } = parseRequest(createWorkspaceRules, request);
      const fields = { name, plan, planUntil: null, suspendedAt: null, createdAt: clock.date() };
      const workspace = await workspaces.insert(ids('wsp'), fields);
      return toMessageWorkspace(workspace, clock.now());
    },

    listWorkspaces: async (_request, call) => {
      const all = await lookup.listWorkspaces(call);
      return { items: all.map((workspace) => toMessageWorkspace(workspace, clock.now())) };
    },

    suspendWorkspace: async ({ workspaceId }, call) => {
      await workspaces.suspend(workspaceId, clock.date(), call);
      return answer(await workspaces.find(workspaceId, call), workspaceId);
    },

    resumeWorkspace: async ({ workspaceId }, call) =>
      answer(await workspaces.change(workspaceId, { suspendedAt: null }, call), workspaceId),

    changePlan: async (request, call) => {
      const { plan, until } = parseRequest(changePlanRules, request);
      const planUntil = until === undefined ? null : new Date(until);
      return answer(await workspaces.change(request.workspaceId, { plan, planUntil }, call), request.workspaceId);
    },
  } satisfies Partial<Handlers<WorkspaceOperatorServiceDefinition>>;
}
