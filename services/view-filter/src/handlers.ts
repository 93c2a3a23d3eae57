import type { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import type { Handlers } from '@postroom/rpc/definition';
import type { Deps } from './deps.ts';
import { inboxFilterHandlers } from './inbox-filters/inbox-filters.ts';
import { viewHandlers } from './views/views.ts';

export function createHandlers(deps: Deps): Handlers<ViewFilterServiceDefinition> {
  return { ...viewHandlers(deps), ...inboxFilterHandlers(deps) };
}
