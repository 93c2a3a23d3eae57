import type { InboxFilterDeps } from './inbox-filters/inbox-filters.ts';
import type { ViewDeps } from './views/views.ts';

/** The dependencies of the handlers of this service. */
export type Deps = InboxFilterDeps & ViewDeps;
