import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { MailboxAccessServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { changingToken } from '@postroom/rpc/token';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import { config, type Config } from './config.ts';
import { createHandlers } from './handlers.ts';
import { openConnection } from './imap/open-connection.ts';
import { logIn } from './connecting/open-session.ts';
import { startKeeper } from './leases/keeper.ts';
import { createRateLimit } from '@postroom/runtime/rate-limit';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import { keepConnected } from './connecting/keep-connected.ts';
import { createOnDemandLogin } from './raw/on-demand-login.ts';
import { createSharedConnections } from './raw/shared-connections.ts';
import type { SessionDeps } from './session/session.ts';
import { createStores, type Stores } from './stores.ts';

const MEGABYTE = 1024 * 1024;
/** It is longer than the interval of the poll for pending changes. */
const NEWLY_MS = 5_000;
const PENDING_AT_ONCE = 1_000;
const MOST_UNANSWERED = 10_000;

export const service = defineService({
  name: 'mailbox-sync',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('mailbox-sync', storeSettings(settings), context);
    const stores = createStores(collections);
    const session = openSessionDeps(stores, settings, context);
    keepMailboxes(stores, session, settings, context);
    const onDemandLogIn = createOnDemandLogin({
      ...stores,
      logIn: (named, signal) => logIn(named, session, signal),
      context,
    });
    const shared = createSharedConnections({ logIn: onDemandLogIn, ...context });
    context.lifecycle.add('connections for raw messages', () => shared.close());
    const handlers = createHandlers({ stores, session, shared, context });
    const services = [implement(MailboxSyncServiceDefinition, handlers)];
    return serve({ address: serverAddress(settings), services, context });
  },
});

function openSessionDeps(stores: Stores, settings: Config, context: ServiceContext): SessionDeps {
  const { clock, metrics } = context;
  const { WORKSPACE_OPERATOR_ADDR: workspaceOperator, MAILBOX_ACCESS_TOKEN } = settings;
  const token = changingToken('MAILBOX_ACCESS_TOKEN', MAILBOX_ACCESS_TOKEN, context);
  return {
    ...stores,
    access: connect(MailboxAccessServiceDefinition, workspaceOperator, { context, token }),
    mailboxWrite: connect(MailboxWriteServiceDefinition, settings.MAILBOX_WRITE_ADDR, { context }),
    connect: (access, signal) => openConnection(access, { timeoutMs: settings.IMAP_TIMEOUT, clock, signal }),
    loginRate: createRateLimit(settings.LOGINS_PER_HOST, clock),
    bytes: createBytesInFlight(settings.MEGABYTES_IN_FLIGHT * MEGABYTE),
    undescribed: new Set(),
    unanswered: createRecentIds(MOST_UNANSWERED),
    scanMs: {
      inbox: settings.INBOX_SCAN,
      poll: settings.POLL,
      sent: settings.SENT_SCAN,
      folder: settings.FOLDER_SCAN,
    },
    taken: metrics.counter('sync_messages_total', 'Messages taken in from mail servers.'),
    failures: metrics.counter('sync_failures_total', 'Connections to mail servers that failed, by kind of fault.'),
    context,
  };
}

function keepMailboxes(stores: Stores, session: SessionDeps, settings: Config, context: ServiceContext): void {
  const { clock, ids, lifecycle, metrics } = context;
  const keeper = startKeeper({
    ...stores,
    newlyPending: () => stores.pending.everyPendingSince(new Date(clock.now() - NEWLY_MS), PENDING_AT_ONCE),
    keep: (lease, isHeld) => keepConnected(lease, session, isHeld),
    owner: ids('own'),
    leaseMs: settings.MAILBOX_LEASE,
    maxMailboxes: settings.MAX_MAILBOXES,
    claimsPerSecond: settings.CLAIMS_PER_SECOND,
    context,
  });
  metrics.gauge('sync_mailboxes', 'Mailboxes that this process synchronizes.', () => keeper.held());
  const stalest = (state: string, areConnected: boolean) => ({
    value: keeper.stalestMs(areConnected) / 1_000,
    labels: { state },
  });
  metrics.gauge('postroom_sync_stalest_seconds', 'How long ago the longest silent mailbox was heard of.', () => [
    stalest('connected', true),
    stalest('failing', false),
  ]);
  lifecycle.add('mailboxes', () => keeper.close());
}
