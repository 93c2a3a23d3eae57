import type { ServiceContext } from '@postroom/runtime/service';
import type { LeaseStore } from './lease-store.ts';
import type { Lease } from './lease.ts';

/** The sync of one mailbox while its lease is held. */
export interface Keeping {
  /** Requests a sync pass now. */
  scan(): void;
  /** There are pending changes for its provider. */
  writeBack(): void;
  /** Since when nothing was heard of its provider, and whether that is because it cannot be reached. */
  lastSign(): { at: number; isConnected: boolean };
  /** Ends it: nothing is written after this. */
  stop(): Promise<void>;
  /** Resolves when it ends, also by itself: the mailbox must no longer be connected, or has another holder. */
  ended: Promise<{ isInactive: boolean }>;
}

interface HeldDeps {
  leases: Pick<LeaseStore, 'release'>;
  /** `isHeld` tells whether the lease is still valid by the local clock. */
  keep(lease: Lease, isHeld: () => boolean): Keeping;
  owner: string;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

interface Held {
  lease: Lease;
  keeping: Keeping;
  until: Date;
}

/**
 * Stops the sync of mailboxes, and releases their leases then. Only the end of the process waits for it: one that takes
 * long must not delay the renewal of the other leases.
 */
function createLeaving({ leases, owner, context }: Omit<HeldDeps, 'keep'>) {
  const running = new Set<Promise<void>>();
  const leave = async ({ lease, keeping }: Held, isAsleep: boolean): Promise<void> => {
    await keeping.stop();
    await leases
      .release(lease, owner, isAsleep)
      .catch((error: unknown) => context.log.warn({ err: error }, 'a lease is not released; it expires'));
  };
  return {
    begin: (mine: Held, isAsleep: boolean): void => {
      const left = leave(mine, isAsleep).finally(() => running.delete(left));
      running.add(left);
    },
    all: () => [...running],
  };
}

/** The mailboxes that this process synchronizes. */
export function createHeldMailboxes({ keep, ...deps }: HeldDeps) {
  const held = new Map<string, Held>();
  const leaving = createLeaving(deps);

  const drop = (lease: Lease, isAsleep: boolean): void => {
    const mine = held.get(lease.mailboxId);
    if (mine?.lease !== lease) return;
    held.delete(lease.mailboxId);
    leaving.begin(mine, isAsleep);
  };

  return {
    count: () => held.size,
    all: (): readonly Held[] => [...held.values()],
    signs: () => [...held.values()].map(({ keeping }) => keeping.lastSign()),
    keepingOf: (mailboxId: string) => held.get(mailboxId)?.keeping,

    take: (lease: Lease, until: Date): void => {
      const isHeld = () => {
        const mine = held.get(lease.mailboxId);
        return mine?.lease === lease && deps.context.clock.date() < mine.until;
      };
      const keeping = keep(lease, isHeld);
      held.set(lease.mailboxId, { lease, keeping, until });
      void keeping.ended.then(({ isInactive }) => drop(lease, isInactive));
    },

    /** These are not synced before they are connected again. */
    letGo: (mailboxIds: readonly string[]): void => {
      for (const lease of mailboxIds.flatMap((id) => held.get(id)?.lease ?? [])) drop(lease, true);
    },

    /** Of these the renewed ones are held until then. The others have another holder now. */
    letGoOthers: (asked: readonly Held[], renewed: readonly Lease[], until: Date): void => {
      const epochs = new Map(renewed.map(({ mailboxId, epoch }) => [mailboxId, epoch]));
      const isMine = ({ lease }: Held) => epochs.get(lease.mailboxId) === lease.epoch;
      const lost = asked.filter((one) => !isMine(one));
      for (const one of asked) if (isMine(one)) one.until = until;
      if (lost.length > 0)
        deps.context.log.warn({ mailboxes: lost.length }, 'mailboxes released; other processes synchronize them');
      for (const { lease } of lost) drop(lease, false);
    },

    close: async (): Promise<void> => {
      // From here on nothing that ends by itself is given back one by one.
      const all = [...held.values()];
      held.clear();
      await Promise.all([...leaving.all(), ...all.map(({ keeping }) => keeping.stop())]);
    },
  };
}
