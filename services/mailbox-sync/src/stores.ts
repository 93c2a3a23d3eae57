import type { CollectionsOf } from '@postroom/mail-store/access';
import { createSyncedMailboxStore } from './mailboxes/synced-mailbox-store.ts';
import { createFolderSyncStore } from './folders/folder-sync-store.ts';
import { createOnDemandSlotStore } from './leases/on-demand-slot-store.ts';
import { createLeaseStore } from './leases/lease-store.ts';
import { createSyncRequestStore } from './leases/sync-request-store.ts';
import { createPendingChangeStore } from './pending/pending-change-store.ts';

export function createStores(collections: CollectionsOf<'mailbox-sync'>) {
  return {
    mailboxes: createSyncedMailboxStore(collections),
    folderSyncs: createFolderSyncStore(collections),
    onDemandSlots: createOnDemandSlotStore(collections),
    leases: createLeaseStore(collections),
    syncRequests: createSyncRequestStore(collections),
    pending: createPendingChangeStore(collections),
  };
}

export type Stores = ReturnType<typeof createStores>;
