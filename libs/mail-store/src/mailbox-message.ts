import type { Mailbox, Signature } from '@postroom/proto/postroom/v1/resources';
import type { MailboxDocument } from './documents/mailbox.ts';
import type { SignatureDocument } from './documents/workspace.ts';

/** Without the server: neither its host nor its credentials are shown to anyone. */
export function toMessageMailbox(mailbox: Omit<MailboxDocument, 'server'>): Mailbox {
  return {
    id: mailbox._id,
    email: mailbox.email,
    name: mailbox.name ?? undefined,
    provider: mailbox.provider,
    status: mailbox.status,
    aliases: mailbox.aliases.map(({ email, name, verified }) => ({ email, name: name ?? undefined, verified })),
    folders: mailbox.folders.map(({ id, name, type }) => ({ id, name, type })),
    lastSyncedAt: mailbox.lastSyncedAt?.toISOString(),
    createdAt: mailbox.createdAt.toISOString(),
  };
}

export function toMessageSignature(signature: SignatureDocument): Signature {
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
