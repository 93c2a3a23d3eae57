import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { ApiKeyDocument, SignatureDocument, WorkspaceDocument } from '@postroom/mail-store/documents/workspace';
import type { Mailbox, Signature } from '@postroom/proto/postroom/v1/resources';
import type { ApiKey, Workspace } from '@postroom/proto/postroom/v1/workspace';
import { planInForce } from './plan.ts';

const moment = (date: Date | null) => date?.toISOString();

export function toWorkspace(workspace: WorkspaceDocument, now: number): Workspace {
  return {
    id: workspace._id,
    name: workspace.name,
    plan: workspace.plan,
    planUntil: moment(workspace.planUntil),
    planInForce: planInForce(workspace, now),
    isSuspended: workspace.suspendedAt !== null,
    createdAt: workspace.createdAt.toISOString(),
  };
}

/** Without the hash: nobody outside this service has a use for it. */
export function toKey(key: ApiKeyDocument): ApiKey {
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

/** Without the server: neither its host nor its credentials leave this service. */
export function toMailbox(mailbox: MailboxDocument): Mailbox {
  return {
    id: mailbox._id,
    email: mailbox.email,
    name: mailbox.name ?? undefined,
    provider: mailbox.provider,
    status: mailbox.status,
    aliases: mailbox.aliases.map(({ email, name, verified }) => ({ email, name: name ?? undefined, verified })),
    folders: mailbox.folders.map(({ id, name, type }) => ({ id, name, type })),
    lastSyncedAt: moment(mailbox.lastSyncedAt),
    createdAt: mailbox.createdAt.toISOString(),
  };
}

export function toSignature(signature: SignatureDocument): Signature {
  return {
    id: signature._id,
    name: signature.name,
    isDefault: signature.isDefault,
    position: signature.position,
    aliasEmail: signature.aliasEmail ?? undefined,
    mailboxId: signature.mailboxId ?? undefined,
    html: signature.html,
    createdAt: signature.createdAt.toISOString(),
    updatedAt: signature.updatedAt.toISOString(),
  };
}
