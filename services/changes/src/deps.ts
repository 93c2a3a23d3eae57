import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Handlers } from '@postroom/rpc/definition';
import type { FeedStore } from './feed/change-store.ts';
import type { ChangeWaiters } from './watching/change-waiters.ts';

export type Rpcs = Handlers<ChangesServiceDefinition>;

/** The dependencies of the handlers of this service. */
export interface Deps {
  changes: Pick<FeedStore, 'head' | 'visibleHead' | 'page'>;
  changeWaiters: Pick<ChangeWaiters, 'wait'>;
}
