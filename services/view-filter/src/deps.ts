import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { InboxFilterStore } from './inbox-filter-store.ts';
import type { LabelStore } from './label-store.ts';
import type { ViewStore } from './view-store.ts';

export type Rpcs = Handlers<ViewFilterServiceDefinition>;

/** The dependencies of the handlers of this service. */
export interface Deps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  views: ViewStore;
  filters: InboxFilterStore;
  labels: LabelStore;
}
