import type { Deps } from '../deps.ts';
import type { FinalizingDeps } from '../ingest/finalizing.ts';
import type { Stores } from '../stores.ts';
import type { Fence } from '../fence.ts';
import type { RemoveAnnounced } from '../removals/announce-removal.ts';
import type { MakeChange } from './change-maker.ts';

/** The dependencies of all code that keeps a mailbox in step with its provider. */
export interface ReconcileDeps extends Pick<Deps, 'relay'> {
  stores: Pick<
    Stores,
    'locations' | 'gone' | 'bulk' | 'emails' | 'removals' | 'pendingCopies' | 'outgoing' | 'leases' | 'surroundings'
  >;
  context: Pick<Deps['context'], 'clock' | 'ids' | 'log'>;
  changeOf: MakeChange;
  finalizing: FinalizingDeps;
  removeAnnounced: RemoveAnnounced;
  fence: Fence;
}
