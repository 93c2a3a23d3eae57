import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SharedConnections } from './raw/shared-connections.ts';
import type { SessionDeps } from './session/session.ts';
import type { Stores } from './stores.ts';

export type Rpcs = Handlers<MailboxSyncServiceDefinition>;

/** The dependencies of the handlers of this service. */
export interface Deps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  stores: Stores;
  session: SessionDeps;
  /** Beside those of the sessions. */
  shared: SharedConnections;
}
