import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Handlers } from '@postroom/rpc/definition';
import type { Deps } from './deps.ts';
import { rawHandlers } from './raw/fetch-raw.ts';
import { stateHandlers } from './sync-state/sync-state.ts';
import { tryLoginHandlers } from './try-login/try-login.ts';

export function createHandlers(deps: Deps): Handlers<MailboxSyncServiceDefinition> {
  return { ...stateHandlers(deps), ...rawHandlers(deps), ...tryLoginHandlers(deps) };
}
