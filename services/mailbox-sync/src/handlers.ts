import type { Deps, Rpcs } from './deps.ts';
import { rawHandlers } from './raw/fetch-raw.ts';
import { stateHandlers } from './sync-state.ts';
import { tryLoginHandlers } from './try-login.ts';

export function createHandlers(deps: Deps): Rpcs {
  return { ...stateHandlers(deps), ...rawHandlers(deps), ...tryLoginHandlers(deps) };
}
