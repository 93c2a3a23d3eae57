import type { AccessDeps } from './access/mailbox-access.ts';
import type { AuditDeps } from './activity/list-audit.ts';
import type { MailboxConsentDeps } from './mailbox-consents/mailbox-consents.ts';
import type { KeyDeps } from './keys/keys.ts';
import type { MailboxDeps } from './mailboxes/mailboxes.ts';
import type { SealDeps } from './sealing/sealing.ts';
import type { SignatureDeps } from './signatures/signatures.ts';
import type { UsageDeps } from './usage/usage.ts';
import type { WorkspaceDeps } from './workspaces/workspaces.ts';

/** The dependencies of the handlers of this service. */
export type Deps = AccessDeps &
  AuditDeps &
  MailboxConsentDeps &
  KeyDeps &
  MailboxDeps &
  SealDeps &
  SignatureDeps &
  UsageDeps &
  WorkspaceDeps;
