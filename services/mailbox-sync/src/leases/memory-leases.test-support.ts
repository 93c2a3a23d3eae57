import type { Lease } from './lease.ts';
import type { LeaseStore } from './lease-store.ts';
import type { SyncRequestStore } from './sync-request-store.ts';

interface Entry {
  _id: string;
  workspaceId: string;
  owner: string;
  epoch: number;
  until: number;
  wantedAt: Date | null;
  round: number;
}

const ASLEEP = Number.MAX_SAFE_INTEGER;

/** Leases as the database keeps them, with owners that can be cut off from it. */
export function memoryLeases(): LeaseStore &
  Pick<SyncRequestStore, 'takeRequested'> & { cutOff(owner: string): void; letIn(owner: string): void } {
  const entries = new Map<string, Entry>();
  const unreachable = new Set<string>();
  const reach = (owner: string) => {
    if (unreachable.has(owner)) throw new Error('the database is unreachable');
  };
  const of = (owner: string) => [...entries.values()].filter((entry) => entry.owner === owner);

  return {
    cutOff: (owner) => void unreachable.add(owner),
    letIn: (owner) => void unreachable.delete(owner),
    register: async (mailboxes) => {
      for (const { _id, workspaceId } of mailboxes) {
        const entry = entries.get(_id);
        if (!entry) entries.set(_id, { _id, workspaceId, owner: '', epoch: 0, until: 0, wantedAt: null, round: 0 });
        else if (entry.until === ASLEEP) entry.until = 0;
      }
    },
    findFree: async (now, limit) =>
      [...entries.values()].flatMap(({ _id, until }) => (until < now.getTime() ? _id : [])).slice(0, limit),
    claim: async (mailboxId, owner, now, until) => {
      reach(owner);
      const entry = entries.get(mailboxId);
      if (!entry || entry.until >= now.getTime()) return null;
      Object.assign(entry, { owner, until: until.getTime(), epoch: entry.epoch + 1 });
      return toLease(entry);
    },
    renew: async (owner, mailboxIds, until) => {
      reach(owner);
      const renewed = of(owner).filter(({ _id }) => mailboxIds.includes(_id));
      for (const entry of renewed) entry.until = until.getTime();
      return renewed.map(toLease);
    },
    release: async ({ mailboxId, epoch }, owner, isAsleep) => {
      reach(owner);
      const entry = entries.get(mailboxId);
      if (entry?.owner !== owner || entry.epoch !== epoch) return;
      Object.assign(entry, { owner: '', until: isAsleep ? ASLEEP : 0 });
    },
    ...passesOf(entries),
    releaseAll: async (owner) => {
      reach(owner);
      for (const entry of of(owner)) Object.assign(entry, { owner: '', until: 0 });
    },
    takeRequested: async (owner) => {
      reach(owner);
      const wanted = of(owner).filter(({ wantedAt }) => wantedAt !== null);
      for (const entry of wanted) entry.wantedAt = null;
      return wanted.map(({ _id }) => _id);
    },
  };
}

function passesOf(entries: ReadonlyMap<string, Entry>): Pick<LeaseStore, 'firstPass' | 'beginPass'> {
  return {
    firstPass: async ({ mailboxId, epoch }) => {
      const entry = entries.get(mailboxId);
      if (entry?.epoch !== epoch) return null;
      entry.round += 1;
      return entry.round;
    },
    beginPass: async ({ mailboxId }, pass) => {
      const entry = entries.get(mailboxId);
      if (entry) entry.round = pass;
    },
  };
}

function toLease({ _id: mailboxId, workspaceId, epoch }: Entry): Lease {
  return { mailboxId, workspaceId, epoch };
}
