import type { CollectionsOf } from '@postroom/mail-store/access';
import { createAttemptsStore } from '@postroom/mail-store/attempts-store';
import type { Clock } from '@postroom/runtime/clock';
import { createBodyStore } from './bodies/body-store.ts';
import { createBulkStore } from './changes/bulk-store.ts';
import { createLabeledEmailStore } from './changes/labeled-email-store.ts';
import { createChangeStore } from './changes/change-store.ts';
import { createClassificationStore } from './changes/classification-store.ts';
import { createEffectStore } from './changes/effect-store.ts';
import { createPendingStore } from './changes/pending-store.ts';
import { createLookupStore } from './changes/lookup-store.ts';
import { createEmailStore } from './ingest/email-store.ts';
import { createOutgoingStore } from './outgoing/outgoing-store.ts';
import { createOriginalStore } from './ingest/original-store.ts';
import { createOldEffectStore } from './old-effects/old-effect-store.ts';
import { createQuarantineStore } from './quarantine/quarantine-store.ts';
import { createUnfinishedStore } from './ingest/unfinished-store.ts';
import { createGoneStore } from './reconcile/gone-store.ts';
import { createLeaseStore } from './reconcile/lease-store.ts';
import { createPendingCopyStore } from './outgoing/pending-copy-store.ts';
import { createLocationStore } from './reconcile/location-store.ts';
import { createRemainsStore } from './remains/remains-store.ts';
import { createRemovedEmailStore } from './removals/removed-email-store.ts';
import { createRemovalStore } from './reconcile/removal-store.ts';
import { createThreadStore } from './threads/thread-store.ts';
import { createWaitingStore } from './threads/waiting-store.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(collections: CollectionsOf<'mailbox-write'>, clock: Pick<Clock, 'now'>) {
  return {
    attempts: createAttemptsStore(collections.ingestAttempts, clock),
    emails: createEmailStore(collections),
    bodies: createBodyStore(collections),
    originals: createOriginalStore(collections),
    threads: createThreadStore(collections),
    waiting: createWaitingStore(collections),
    unfinished: createUnfinishedStore(collections),
    quarantinedMessages: createQuarantineStore(collections),
    changes: createChangeStore(collections),
    bulk: createBulkStore(collections),
    outgoing: createOutgoingStore(collections),
    pending: createPendingStore(collections),
    classifications: createClassificationStore(collections),
    locations: createLocationStore(collections),
    gone: createGoneStore(collections),
    removals: createRemovalStore(collections),
    removedEmails: createRemovedEmailStore(collections),
    remains: createRemainsStore(collections),
    pendingCopies: createPendingCopyStore(collections),
    leases: createLeaseStore(collections),
    effects: createEffectStore(collections),
    oldEffects: createOldEffectStore(collections),
    labeledEmails: createLabeledEmailStore(collections),
    lookups: createLookupStore(collections),
  };
}
