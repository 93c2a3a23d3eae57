import type { Deps, OperatorRpcs, Rpcs } from './deps.ts';
import { keyHandlers } from './keys.ts';
import { mailboxHandlers } from './mailboxes.ts';
import { grantHandlers } from './oauth/grants.ts';
import { secretHandlers } from './secrets.ts';
import { signatureHandlers } from './signatures.ts';
import { workspaceHandlers } from './workspaces.ts';

/** The calls of other services. */
export function createHandlers(deps: Deps): Rpcs {
  const { resolveKey } = keyHandlers(deps);
  const { findRecipient } = mailboxHandlers(deps);
  return { resolveKey, findRecipient };
}

/** The calls of operators, on the admin API. */
export function createOperatorHandlers(deps: Deps): OperatorRpcs {
  const { resolveKey: _resolveKey, ...keys } = keyHandlers(deps);
  const { findRecipient: _findRecipient, ...mailboxes } = mailboxHandlers(deps);
  return {
    ...workspaceHandlers(deps),
    ...keys,
    ...mailboxes,
    ...signatureHandlers(deps),
    ...secretHandlers(deps),
    ...grantHandlers(deps),
  };
}
