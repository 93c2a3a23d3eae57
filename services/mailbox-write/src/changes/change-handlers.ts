import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import type { ChangeStore } from './change-store.ts';
import type { PendingStore } from './pending-store.ts';
import { createBulkHandlers } from './bulk-handlers.ts';
import type { ChangeDeps } from './change-deps.ts';
import { createDiscardHandler } from './discard-draft.ts';
import { createEmailChanges } from './email-change.ts';
import { createEmailHandlers } from './email-handlers.ts';
import { createForgetLabelHandler } from './forget-label.ts';
import { createLabelChanges } from './label-changes.ts';
import { createPendingHandlers } from './pending-handlers.ts';
import { createUndoHandler } from './undo-effect.ts';
import { createClassificationHandler } from './record-classification.ts';

export type { BulkStore } from './bulk-store.ts';
export type { LookupStore } from './lookup-store.ts';

interface ChangeHandlerDeps extends Pick<ChangeDeps, 'context' | 'relay'> {
  stores: Pick<ChangeDeps, 'bulk' | 'labeledEmails' | 'classifications' | 'effects' | 'lookups'> & {
    changes: ChangeStore;
    pending: PendingStore;
  };
}

/** Everything that changes an email once it is in. */
export function createChangeHandlers({ stores, context, relay }: ChangeHandlerDeps) {
  const { changes: emails, bulk, labeledEmails, classifications, effects, lookups } = stores;
  const deps: ChangeDeps = {
    emails,
    bulk,
    labeledEmails,
    classifications,
    effects,
    lookups,
    changes: { ...createEmailChanges(context), ...createLabelChanges(context) },
    relay,
    context,
  };
  return {
    ...createEmailHandlers(deps),
    ...createBulkHandlers(deps),
    ...createDiscardHandler(deps),
    ...createForgetLabelHandler(deps),
    ...createClassificationHandler(deps),
    ...createUndoHandler(deps),
    ...createPendingHandlers({ pending: stores.pending, context }),
  } satisfies Partial<Handlers<MailboxWriteServiceDefinition>>;
}
