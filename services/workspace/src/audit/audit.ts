import type {
  WorkspaceAppServiceDefinition,
  WorkspaceOperatorServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import type { AuditTable, AuditTarget } from '@postroom/rpc/audited';
import type { Call } from '@postroom/rpc/call';
import type { WorkspaceLookupStore } from '../lookup/workspace-lookup-store.ts';

interface AuditDeps {
  lookup: Pick<WorkspaceLookupStore, 'findMailbox'>;
}

const workspace = (id: string, name?: string): AuditTarget => ({ kind: 'workspace', id, name });
const mailbox = (id: string, name?: string): AuditTarget => ({ kind: 'mailbox', id, name });
const named = async ({ workspaceId }: { workspaceId: string }) => [workspaceId];

const plans = {
  suspendWorkspace: {
    action: 'workspace.suspended',
    target: ({ workspaceId }, changed) => workspace(workspaceId, changed?.name),
    workspaces: named,
  },
  resumeWorkspace: {
    action: 'workspace.resumed',
    target: ({ workspaceId }, changed) => workspace(workspaceId, changed?.name),
    workspaces: named,
  },
  changePlan: {
    action: 'workspace.plan_changed',
    target: ({ workspaceId, plan }) => workspace(workspaceId, plan),
    workspaces: named,
  },
} satisfies Partial<AuditTable<WorkspaceOperatorServiceDefinition>>;

/** These calls name the workspace in the request, or a mailbox by its id alone. */
export function workspaceAppAudit({ lookup }: AuditDeps): AuditTable<WorkspaceAppServiceDefinition> {
  const ofMailbox = async ({ mailboxId }: { mailboxId: string }, call: Call) => {
    const found = await lookup.findMailbox(mailboxId, call);
    return found ? [found.workspaceId] : [];
  };
  return {
    createKey: {
      action: 'key.created',
      target: ({ name }, made) => ({ kind: 'key', id: made?.key?.id ?? '', name }),
      workspaces: named,
    },
    revokeKey: {
      action: 'key.revoked',
      target: ({ keyId: id }, key) => ({ kind: 'key', id, name: key?.name }),
      workspaces: named,
    },
    connectMailbox: {
      action: 'mailbox.connected',
      target: ({ email }, made) => mailbox(made?.id ?? '', email),
      workspaces: named,
    },
    disconnectMailbox: {
      action: 'mailbox.disconnected',
      target: ({ mailboxId }, changed) => mailbox(mailboxId, changed?.email),
      workspaces: ofMailbox,
    },
    reconnectMailbox: {
      action: 'mailbox.reconnected',
      target: ({ mailboxId }, changed) => mailbox(mailboxId, changed?.email),
      workspaces: ofMailbox,
    },
    connectByConsent: {
      action: ({ mailboxId }) => (mailboxId === undefined ? 'mailbox.connected' : 'mailbox.reconnected'),
      target: ({ mailboxId }, changed) => mailbox(changed?.id ?? mailboxId ?? '', changed?.email),
      workspaces: named,
    },
    // Nothing is connected yet.
    beginConsent: 'not audited',
    finishConsent: 'not audited',
  };
}

export function workspaceAudit(deps: AuditDeps): AuditTable<WorkspaceOperatorServiceDefinition> {
  return {
    ...workspaceAppAudit(deps),
    ...plans,
    createSignature: {
      action: 'signature.created',
      target: ({ name }, made) => ({ kind: 'signature', id: made?.id ?? '', name }),
      workspaces: named,
    },
    // A new workspace has nobody who could read of it.
    createWorkspace: 'not audited',
    requestTokens: 'not audited',
    // It concerns the installation.
    rotateSecrets: 'not audited',
  };
}
