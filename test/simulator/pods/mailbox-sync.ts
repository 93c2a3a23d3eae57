import { collectionsOf } from '@postroom/mail-store/access';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { MailboxAccessServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import { createRateLimit } from '@postroom/runtime/rate-limit';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import type { ImapConnection } from '../../../services/mailbox-sync/src/imap/imap-connection.ts';
import { keepConnected } from '../../../services/mailbox-sync/src/connecting/keep-connected.ts';
import { startKeeper } from '../../../services/mailbox-sync/src/leases/keeper.ts';
import type { SessionDeps } from '../../../services/mailbox-sync/src/session/session.ts';
import { createStores } from '../../../services/mailbox-sync/src/stores.ts';
import { simulatedCollections } from '../world/database.ts';
import type { Process } from '../world/process.ts';
import type { OpenPod } from './pods.ts';

/** A pod that stands still may lose it. */
const LEASE_MS = 6_000;
const NEWLY_MS = 5_000;
const MOST = 100;
/** So short that a run has many passes. */
const SCAN_MS = { inbox: 6_000, poll: 4_000, sent: 8_000, folder: 12_000 };
const MEGABYTE = 1024 * 1024;

type Connect = (pod: Process, mailboxId: string) => Promise<ImapConnection>;

/** As its service.ts opens it, with a scripted provider behind the seam of its connections. */
export const openMailboxSync =
  (connect: Connect): OpenPod =>
  async (pod, { network }) => {
    const { context } = pod;
    const { clock, ids } = context;
    const stores = createStores(collectionsOf(simulatedCollections(), 'mailbox-sync'));
    const counter = { add: () => undefined };
    const session: SessionDeps = {
      ...stores,
      access: network.connect(MailboxAccessServiceDefinition, pod),
      mailboxWrite: network.connect(MailboxWriteServiceDefinition, pod),
      connect: ({ user }) => connect(pod, user),
      loginRate: createRateLimit(MOST, clock),
      bytes: createBytesInFlight(MEGABYTE),
      undescribed: new Set(),
      unanswered: createRecentIds(MOST),
      scanMs: SCAN_MS,
      taken: counter,
      failures: counter,
      context,
    };
    startKeeper({
      ...stores,
      newlyPending: () => stores.pending.everyPendingSince(new Date(clock.now() - NEWLY_MS), MOST),
      keep: (lease, isHeld) => keepConnected(lease, session, isHeld),
      owner: ids('own'),
      leaseMs: LEASE_MS,
      maxMailboxes: MOST,
      claimsPerSecond: MOST,
      context,
    });
  };
