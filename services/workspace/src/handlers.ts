import type { WorkspaceServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import type { Handlers } from '@postroom/rpc/definition';
import type { Deps } from './deps.ts';
import { keyHandlers } from './keys.ts';
import { mailboxHandlers } from './mailboxes.ts';
import { signatureHandlers } from './signatures.ts';
import { workspaceHandlers } from './workspaces.ts';

export function createHandlers(deps: Deps): Handlers<WorkspaceServiceDefinition> {
  return {
    ...workspaceHandlers(deps),
    ...keyHandlers(deps),
    ...mailboxHandlers(deps),
    ...signatureHandlers(deps),
  };
}
