import { ApiError } from '@postroom/errors/api-error';
import { planInForce, planLimits, type Plan } from '@postroom/contract/plans';
import type { ApiKeyDocument } from '@postroom/mail-store/documents/workspace';
import type {
  ApiKey,
  CreateKeyRequest,
  CreateKeyResponse,
  WorkspaceOperatorServiceDefinition,
  WorkspaceServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import { toMessageWorkspace } from '@postroom/mail-store/workspace-message';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import { parseRequest } from '@postroom/rpc/parse-request';
import type { WorkspaceLookupStore } from '../lookup/workspace-lookup-store.ts';
import { createKeyRules, unknownKey, unknownWorkspace } from '../requests/requests.ts';
import type { WorkspaceStore } from '../workspaces/workspaces.ts';
import { freeSlots } from './key-slots.ts';
import type { KeyStore } from './key-store.ts';
import { hashOf, newSecret } from './secret.ts';

export interface KeyDeps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  lookup: Pick<WorkspaceLookupStore, 'findKeyByHash'>;
  workspaces: Pick<WorkspaceStore, 'find'>;
  keys: KeyStore;
}

export function keyHandlers(deps: KeyDeps) {
  const { workspaces, keys, lookup } = deps;
  const { clock } = deps.context;
  return {
    createKey: (request, call) => createKey(request, call, deps),

    listKeys: async ({ workspaceId }, call) => {
      if (!(await workspaces.find(workspaceId, call))) throw unknownWorkspace(workspaceId);
      return { items: (await keys.list(workspaceId, call)).map(toMessageKey) };
    },

    revokeKey: async ({ workspaceId, keyId }, call) => {
      await keys.revoke(workspaceId, keyId, clock.date(), call);
      const key = await keys.find(workspaceId, keyId, call);
      if (!key) throw unknownKey(keyId);
      return toMessageKey(key);
    },

    resolveKey: async ({ secretHash }, call) => {
      const key = await lookup.findKeyByHash(secretHash, call);
      const workspace = key && (await workspaces.find(key.workspaceId, call));
      if (!key || !workspace) return {};
      return { key: toMessageKey(key), workspace: toMessageWorkspace(workspace, clock.now()) };
    },
  } satisfies Partial<Handlers<WorkspaceServiceDefinition> & Handlers<WorkspaceOperatorServiceDefinition>>;
}

async function createKey(request: CreateKeyRequest, call: Call, deps: KeyDeps): Promise<CreateKeyResponse> {
  const { workspaceId } = request;
  const { clock, ids } = deps.context;
  const { name, scopes, allowOutboundSend, expiresAt } = parseRequest(createKeyRules, request);
  const workspace = await deps.workspaces.find(workspaceId, call);
  if (!workspace) throw unknownWorkspace(workspaceId);

  const plan = planInForce(workspace.plan, workspace.planUntil?.getTime() ?? null, clock.now());
  const secret = newSecret();
  const key = {
    _id: ids('key'),
    name,
    secretHash: hashOf(secret),
    scopes: [...new Set(scopes)],
    allowOutboundSend,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    revokedAt: null,
    createdAt: clock.date(),
  };
  // A lost slot means that another creation succeeded, so this loop ends after as many tries as there are slots.
  for (;;) {
    const slot = await findSlot(workspaceId, plan, call, deps);
    const created = await deps.keys.insert(workspaceId, { ...key, slot });
    if (created) return { key: toMessageKey(created), secret };
  }
}

async function findSlot(
  workspaceId: string,
  plan: Plan,
  call: Call,
  { keys, context: { clock } }: KeyDeps,
): Promise<string> {
  const active: ApiKeyDocument[] = [];
  for (const key of await keys.list(workspaceId, call)) {
    if (key.revokedAt) continue;
    const hasExpired = key.expiresAt !== null && key.expiresAt.getTime() <= clock.now();
    if (!hasExpired) active.push(key);
    else if (key.slot !== key._id) await keys.freeSlot(workspaceId, key._id, call);
  }
  const cap = planLimits[plan].activeKeys;
  const [slot] = freeSlots(
    active.map((key) => key.slot),
    cap,
  );
  if (slot !== undefined) return slot;
  const message = `The ${plan} plan in force allows ${cap} active keys; revoke one or change the plan first.`;
  throw new ApiError('CONFLICT', { message, details: { plan, cap } });
}

/** Without the hash: nobody outside this service has a use for it. */
function toMessageKey(key: ApiKeyDocument): ApiKey {
  return {
    id: key._id,
    name: key.name,
    scopes: key.scopes,
    allowOutboundSend: key.allowOutboundSend,
    expiresAt: key.expiresAt?.toISOString(),
    revokedAt: key.revokedAt?.toISOString(),
    createdAt: key.createdAt.toISOString(),
  };
}
