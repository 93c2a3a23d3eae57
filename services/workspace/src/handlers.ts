import type { ActivityServiceDefinition } from '@postroom/proto/postroom/v1/activity';
import type {
  MailboxAccessServiceDefinition,
  WorkspaceAppServiceDefinition,
  WorkspaceOperatorServiceDefinition,
  WorkspaceServiceDefinition,
} from '@postroom/proto/postroom/v1/workspace';
import type { Handlers } from '@postroom/rpc/definition';
import { accessHandlers } from './access/mailbox-access.ts';
import { auditLogHandlers } from './activity/list-audit.ts';
import { consentAccessHandlers, consentHandlers } from './mailbox-consents/mailbox-consents.ts';
import type { Deps } from './deps.ts';
import { keyHandlers } from './keys/keys.ts';
import { mailboxHandlers } from './mailboxes/mailboxes.ts';
import { secretHandlers } from './sealing/sealing.ts';
import { signatureHandlers } from './signatures/signatures.ts';
import { usageHandlers } from './usage/usage.ts';
import { workspaceHandlers } from './workspaces/workspaces.ts';

/** The calls of other services. */
export function createHandlers(deps: Deps): Handlers<WorkspaceServiceDefinition> {
  const { resolveKey } = keyHandlers(deps);
  const { findRecipient } = mailboxHandlers(deps);
  return { resolveKey, findRecipient };
}

/** The calls of the pages of the app. */
export function createActivityHandlers(deps: Deps): Handlers<ActivityServiceDefinition> {
  return { ...usageHandlers(deps), ...auditLogHandlers(deps) };
}

/** The calls of operators, on the admin API. */
export function createOperatorHandlers(deps: Deps): Handlers<WorkspaceOperatorServiceDefinition> {
  const { resolveKey: _resolveKey, ...keys } = keyHandlers(deps);
  const { findRecipient: _findRecipient, ...mailboxes } = mailboxHandlers(deps);
  return {
    ...workspaceHandlers(deps),
    ...keys,
    ...mailboxes,
    ...signatureHandlers(deps),
    ...secretHandlers(deps),
  };
}

/** The calls of owners and admins in the app. */
export function createAppHandlers(deps: Deps): Handlers<WorkspaceAppServiceDefinition> {
  const { createKey, listKeys, revokeKey } = keyHandlers(deps);
  const { connectMailbox, disconnectMailbox, reconnectMailbox, locateMailbox } = mailboxHandlers(deps);
  const mailboxes = { connectMailbox, disconnectMailbox, reconnectMailbox, locateMailbox };
  return { createKey, listKeys, revokeKey, ...mailboxes, ...consentHandlers(deps) };
}

/** The calls of the services that log in to mail servers. */
export function createAccessHandlers(deps: Deps): Handlers<MailboxAccessServiceDefinition> {
  return { ...accessHandlers(deps), ...consentAccessHandlers(deps) };
}
