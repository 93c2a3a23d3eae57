import type { Deps, Rpcs } from './deps.ts';
import { inboxFilterHandlers } from './inbox-filters.ts';
import { viewHandlers } from './views.ts';

export function createHandlers(deps: Deps): Rpcs {
  return { ...viewHandlers(deps), ...inboxFilterHandlers(deps) };
}
