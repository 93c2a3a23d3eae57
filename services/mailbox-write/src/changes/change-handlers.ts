import type { Deps, Rpcs } from '../deps.ts';
import { createBulkHandlers } from './bulk-handlers.ts';
import type { ChangeDeps } from './change-deps.ts';
import { createEmailChanges } from './email-change.ts';
import { createEmailHandlers } from './email-handlers.ts';
import { createForgetLabelHandler } from './forget-label.ts';
import { createLabelChanges } from './label-changes.ts';
import { createPendingHandlers } from './pending-handlers.ts';
import { createClassificationHandler } from './record-classification.ts';

type Given = Pick<Deps, 'stores' | 'relay'> & Pick<ChangeDeps, 'context'>;

/** Everything that changes an email once it is in. */
export function createChangeHandlers({ stores, context, relay }: Given) {
  const { changes: emails, bulk, carriers, classifications, surroundings } = stores;
  const deps: ChangeDeps = {
    emails,
    bulk,
    carriers,
    classifications,
    surroundings,
    changes: { ...createEmailChanges(context), ...createLabelChanges(context) },
    relay,
    context,
  };
  return {
    ...createEmailHandlers(deps),
    ...createBulkHandlers(deps),
    ...createForgetLabelHandler(deps),
    ...createClassificationHandler(deps),
    ...createPendingHandlers({ pending: stores.pending, context }),
  } satisfies Partial<Rpcs>;
}
