import type {
  MailboxWriteOperatorServiceDefinition,
  MailboxWriteServiceDefinition,
} from '@postroom/proto/postroom/v1/mailbox_write';
import type { Handlers } from '@postroom/rpc/definition';
import { createCountedAttempts } from '@postroom/events/counted-attempts';
import { createRestoreBodyHandler } from './bodies/restore-body.ts';
import { createChangeHandlers } from './changes/change-handlers.ts';
import { createQuarantineHandlers } from './changes/pending-handlers.ts';
import type { Deps } from './deps.ts';
import { createIngest } from './ingest/ingest.ts';
import { createQuarantinedMessageHandlers } from './ingest/quarantine-handlers.ts';
import { createFinalizing } from './ingest/finalizing.ts';
import { createOutgoingHandlers } from './outgoing/outgoing-handlers.ts';
import { createRemoveAnnounced } from './removals/announce-removal.ts';
import { createChangeMaker } from './reconcile/change-maker.ts';
import { createMatcher } from './reconcile/match-messages.ts';
import { createReconcileHandlers } from './reconcile/reconcile-handlers.ts';
import { createQuarantine } from './quarantine/quarantine.ts';

export function createHandlers(deps: Deps): {
  handlers: Handlers<MailboxWriteServiceDefinition>;
  operatorHandlers: Handlers<MailboxWriteOperatorServiceDefinition>;
} {
  const { stores, relay, pool, queueByMailbox, context } = deps;
  const quarantinedMessages = createQuarantine(stores.quarantinedMessages, context);
  const finalizing = createFinalizing(stores, deps.completed);
  const removeAnnounced = createRemoveAnnounced({ removedEmails: stores.removedEmails, relay: deps.removals, context });
  const reconcileDeps = { stores, relay, context, finalizing, changeOf: createChangeMaker(context), removeAnnounced };
  const ingest = createIngest({
    ...finalizing,
    matcher: createMatcher(reconcileDeps),
    emails: stores.emails,
    originals: stores.originals,
    pool,
    quarantine: quarantinedMessages,
    relay,
    attempts: createCountedAttempts(stores.attempts, context.log),
    queueByMailbox,
    context,
  });
  const handlers: Handlers<MailboxWriteServiceDefinition> = {
    ingest: ingest.ingest,
    ...createOutgoingHandlers({ stores, relay, pool, context, ingest, removeAnnounced }),
    ...createChangeHandlers(deps),
    ...createRestoreBodyHandler(deps),
    ...createReconcileHandlers({ ...reconcileDeps, queueByMailbox, requireMailbox: ingest.requireMailbox }),
  };
  return {
    handlers,
    operatorHandlers: {
      ...createQuarantinedMessageHandlers({ store: stores.quarantinedMessages, ingest, clock: context.clock }),
      ...createQuarantineHandlers({ pending: stores.pending, context }),
    },
  };
}
