import type { Deps } from '../deps.ts';
import type { SettlingDeps } from '../ingest/settling.ts';
import type { Stores } from '../stores.ts';
import type { Fence } from '../fence.ts';
import type { RemoveAnnounced } from '../removals/announce-removal.ts';
import type { MakeChange } from './change-maker.ts';

/** The dependencies of all code that keeps a mailbox in step with its provider. */
export interface PlaceDeps extends Pick<Deps, 'relay'> {
  stores: Pick<
    Stores,
    'places' | 'gone' | 'bulk' | 'emails' | 'removals' | 'pendingCopies' | 'outgoing' | 'leases' | 'surroundings'
  >;
  context: Pick<Deps['context'], 'clock' | 'ids' | 'log'>;
  changeOf: MakeChange;
  settling: SettlingDeps;
  removeAnnounced: RemoveAnnounced;
  fence: Fence;
}
