import type { Relay } from '@postroom/events/outbox/relay';
import type { Collections } from '@postroom/mail-store/collections';
import type { ServiceContext } from '@postroom/runtime/service';
import { createBulkHandlers } from './bulk-handlers.ts';
import { createBulkStore, type BulkStore } from './bulk-store.ts';
import { createCarrierStore, type CarrierStore } from './carrier-store.ts';
import { createChangeStore, type ChangeStore } from './change-store.ts';
import { createEmailChanges, type EmailChanges } from './email-change.ts';
import { createEmailHandlers } from './email-handlers.ts';
import { createForgetLabelHandler } from './forget-label.ts';
import { createSurroundingsStore, type SurroundingsStore } from './surroundings-store.ts';

export interface ChangeParts {
  emails: ChangeStore;
  bulk: BulkStore;
  carriers: CarrierStore;
  surroundings: SurroundingsStore;
  changes: EmailChanges;
  relay: Pick<Relay, 'publishSoon'>;
  context: Pick<ServiceContext, 'ids' | 'clock'>;
}

interface Deps {
  collections: Collections;
  context: Pick<ServiceContext, 'ids' | 'clock'>;
  relay: Pick<Relay, 'publishSoon'>;
}

/** Everything that changes an email once it is in. */
export function createChangeHandlers({ collections, context, relay }: Deps) {
  const parts: ChangeParts = {
    emails: createChangeStore(collections),
    bulk: createBulkStore(collections),
    carriers: createCarrierStore(collections),
    surroundings: createSurroundingsStore(collections),
    changes: createEmailChanges(context),
    relay,
    context,
  };
  return { ...createEmailHandlers(parts), ...createBulkHandlers(parts), ...createForgetLabelHandler(parts) };
}
