import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SyncedMailboxStore } from '../mailboxes/synced-mailbox-store.ts';
import type { Keeping } from './held-mailboxes.ts';
import type { Lease } from './lease.ts';
import type { LeaseStore } from './lease-store.ts';
import { createHeldMailboxes } from './held-mailboxes.ts';
import type { SyncRequestStore } from './sync-request-store.ts';

export type { SyncRequestStore } from './sync-request-store.ts';

interface KeeperDeps {
  leases: LeaseStore;
  syncRequests: Pick<SyncRequestStore, 'takeRequested'>;
  mailboxes: Pick<SyncedMailboxStore, 'everyConnected' | 'everyInactive'>;
  /** The mailboxes of all workspaces with recent pending changes. */
  newlyPending(): Promise<readonly string[]>;
  keep(lease: Lease, isHeld: () => boolean): Keeping;
  owner: string;
  leaseMs: number;
  maxMailboxes: number;
  claimsPerSecond: number;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

export interface Keeper {
  held(): number;
  /** For how long nothing was heard of the mailbox that was silent the longest, of those that are connected or are not. */
  stalestMs(areConnected: boolean): number;
  close(): Promise<void>;
}

const PAGE = 1_000;
const TICK_MS = 1_000;
const WALK_MS = 2_000;

const idsOf = (held: readonly { lease: Lease }[]): string[] => held.map(({ lease }) => lease.mailboxId);

/** Takes as many mailboxes as there is room for, holds on to them, and gives them back at the end. */
export function startKeeper(deps: KeeperDeps): Keeper {
  const { leases, mailboxes, owner, leaseMs, context } = deps;
  const { clock } = context;
  const held = createHeldMailboxes(deps);
  const until = () => new Date(clock.now() + leaseMs);
  let after = '';

  const claim = async () => {
    const capacity = Math.min(deps.claimsPerSecond, deps.maxMailboxes - held.count());
    if (capacity <= 0) return;
    for (const mailboxId of await leases.findFree(clock.date(), capacity)) {
      const end = until();
      // A mailbox is kept without a lease after an outage of the database. Its renewal tells whether another process has it.
      const lease = held.keepingOf(mailboxId) ? null : await leases.claim(mailboxId, owner, clock.date(), end);
      if (lease) held.take(lease, end);
    }
  };
  const renew = async () => {
    if (held.count() === 0) return;
    const [asked, end] = [held.all(), until()];
    held.letGoOthers(asked, await leases.renew(owner, idsOf(asked), end), end);
  };
  const tell = async () => {
    if (held.count() === 0) return;
    for (const mailboxId of await deps.syncRequests.takeRequested(owner)) held.keepingOf(mailboxId)?.scan();
    for (const mailboxId of await deps.newlyPending()) held.keepingOf(mailboxId)?.writeBack();
  };
  /** Page by page over all mailboxes: new ones get a lease, and those that were disconnected are let go. */
  const walk = async () => {
    const page = await mailboxes.everyConnected(after, PAGE);
    after = page.length === PAGE ? (page.at(-1)?._id ?? '') : '';
    if (page.length > 0) await leases.register(page);
    if (held.count() > 0) held.letGo(await mailboxes.everyInactive(idsOf(held.all())));
  };

  const loops = [
    repeat(renew, { name: 'the renewal of leases', everyMs: leaseMs / 4, ...context }),
    repeat(claim, { name: 'the claim of mailboxes', everyMs: TICK_MS, ...context }),
    repeat(tell, { name: 'the poll for requested passes and pending changes', everyMs: TICK_MS, ...context }),
    repeat(walk, { name: 'the scan of all mailboxes', everyMs: WALK_MS, ...context }),
  ];
  return {
    held: () => held.count(),
    stalestMs: (areConnected) => {
      const signs = held.signs().filter(({ isConnected }) => isConnected === areConnected);
      return Math.max(0, ...signs.map(({ at }) => clock.now() - at));
    },
    close: async () => {
      await Promise.all(loops.map((loop) => loop.close()));
      await held.close();
      await leases.releaseAll(owner);
    },
  };
}
