import type { Deps, Rpcs } from '../deps.ts';
import type { Stores } from '../stores.ts';
import { createBulkHandlers } from './bulk-handlers.ts';
import type { ChangeStore } from './change-store.ts';
import { createEmailChanges, type EmailChanges } from './email-change.ts';
import { createEmailHandlers } from './email-handlers.ts';
import { createForgetLabelHandler } from './forget-label.ts';

type ChangeDeps = Pick<Deps, 'stores' | 'relay'> & { context: Pick<Deps['context'], 'clock' | 'ids'> };

export interface ChangeParts extends Pick<Stores, 'bulk' | 'carriers' | 'surroundings'>, Omit<ChangeDeps, 'stores'> {
  emails: ChangeStore;
  changes: EmailChanges;
}

/** Everything that changes an email once it is in. */
export function createChangeHandlers({ stores, context, relay }: ChangeDeps) {
  const { changes: emails, bulk, carriers, surroundings } = stores;
  const parts: ChangeParts = {
    emails,
    bulk,
    carriers,
    surroundings,
    changes: createEmailChanges(context),
    relay,
    context,
  };
  return {
    ...createEmailHandlers(parts),
    ...createBulkHandlers(parts),
    ...createForgetLabelHandler(parts),
  } satisfies Partial<Rpcs>;
}
