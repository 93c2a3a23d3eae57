import type { Deps, Rpcs } from './deps.ts';
import { keyHandlers } from './keys.ts';
import { mailboxHandlers } from './mailboxes.ts';
import { signatureHandlers } from './signatures.ts';
import { workspaceHandlers } from './workspaces.ts';

export function createHandlers(deps: Deps): Rpcs {
  return {
    ...workspaceHandlers(deps),
    ...keyHandlers(deps),
    ...mailboxHandlers(deps),
    ...signatureHandlers(deps),
  };
}
