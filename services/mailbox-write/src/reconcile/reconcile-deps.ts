import type { Relay } from '@postroom/events/outbox/relay';
import type { ServiceContext } from '@postroom/runtime/service';
import type { BulkStore, LookupStore } from '../changes/change-handlers.ts';
import type { EmailStore } from '../ingest/ingest.ts';
import type { OutgoingStore, PendingCopyStore } from '../outgoing/outgoing-handlers.ts';
import type { GoneStore } from './gone-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { LocationStore } from './location-store.ts';
import type { RemovalStore } from './removal-store.ts';
import type { FinalizingDeps } from '../ingest/finalizing.ts';
import type { Fence } from '../fence/fence.ts';
import type { RemoveAnnounced } from '../removals/announce-removal.ts';
import type { MakeChange } from './change-maker.ts';

/** The dependencies of all code that synchronizes a mailbox with its provider. */
export interface ReconcileDeps {
  stores: {
    locations: LocationStore;
    gone: GoneStore;
    bulk: BulkStore;
    emails: EmailStore;
    removals: RemovalStore;
    pendingCopies: PendingCopyStore;
    outgoing: OutgoingStore;
    leases: LeaseStore;
    lookups: LookupStore;
  };
  relay: Pick<Relay, 'publishSoon'>;
  context: Pick<ServiceContext, 'clock' | 'ids' | 'log'>;
  changeOf: MakeChange;
  finalizing: FinalizingDeps;
  removeAnnounced: RemoveAnnounced;
  fence: Fence;
}
