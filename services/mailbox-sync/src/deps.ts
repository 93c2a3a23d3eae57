import type { RawDeps } from './raw/fetch-raw.ts';
import type { SyncStateDeps } from './sync-state/sync-state.ts';
import type { TryLoginDeps } from './try-login/try-login.ts';

/** The dependencies of the handlers of this service. */
export type Deps = RawDeps & SyncStateDeps & TryLoginDeps;
