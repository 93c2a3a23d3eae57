import type { Writes } from '@postroom/mail-store/access';
import type { MailboxLeaseDocument } from '@postroom/mail-store/documents/sync';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import type { Lease } from './lease.ts';

export type LeaseStore = ReturnType<typeof createLeaseStore>;
type Named = Pick<MailboxLeaseDocument, '_id' | 'workspaceId'>;
type Stored = Pick<MailboxLeaseDocument, '_id' | 'workspaceId' | 'epoch'>;

const FREE = new Date(0);
/** Nobody takes it before it is woken. */
const ASLEEP = new Date('9999-01-01T00:00:00Z');
const LEASE = { workspaceId: 1, epoch: 1 } as const;

/** Leases of the mailboxes of every workspace: a process holds whichever it gets. */
export function createLeaseStore({ mailboxLeases }: Writes<'mailboxLeases'>) {
  return {
    /** Makes the leases that are missing, and wakes those that sleep: these mailboxes are to be connected. */
    register: (mailboxes: readonly Named[]) => register(mailboxLeases, mailboxes),

    async findFree(now: Date, limit: number): Promise<string[]> {
      const free = await mailboxLeases
        .find({ until: { $lt: now } }, { _id: 1 }, QUERY_LIMIT)
        .limit(limit)
        .lean<Named[]>();
      return free.map(({ _id }) => _id);
    },

    /** Null when another process was faster. */
    async claim(mailboxId: string, owner: string, now: Date, until: Date): Promise<Lease | null> {
      const free = { _id: mailboxId, until: { $lt: now } };
      const update = { $set: { owner, until }, $inc: { epoch: 1 } };
      const options = { ...QUERY_LIMIT, returnDocument: 'after', projection: LEASE } as const;
      const lease = await mailboxLeases.findOneAndUpdate(free, update, options).lean<Stored | null>();
      return lease && toLease(lease);
    },

    /** Renews these leases, as far as they are this owner's, in one write, and returns them. */
    async renew(owner: string, mailboxIds: readonly string[], until: Date): Promise<Lease[]> {
      // A lease whose claim was not answered, or whose release failed, is this owner's too. It has to expire.
      const held = { _id: { $in: [...mailboxIds] }, owner };
      await mailboxLeases.updateMany(held, { $set: { until } }, QUERY_LIMIT);
      return (await mailboxLeases.find(held, LEASE, QUERY_LIMIT).lean<Stored[]>()).map(toLease);
    },

    /** Any process may take it now. An asleep lease is not taken before it is registered again. */
    async release({ mailboxId, epoch }: Lease, owner: string, isAsleep: boolean): Promise<void> {
      const until = isAsleep ? ASLEEP : FREE;
      await mailboxLeases.updateOne({ _id: mailboxId, owner, epoch }, { $set: { owner: '', until } }, QUERY_LIMIT);
    },

    async releaseAll(owner: string): Promise<void> {
      await mailboxLeases.updateMany({ owner }, { $set: { owner: '', until: FREE } }, QUERY_LIMIT);
    },

    ...createPasses(mailboxLeases),
  };
}

function createPasses(mailboxLeases: Writes<'mailboxLeases'>['mailboxLeases']) {
  return {
    /** The first pass of a session, behind every pass before it. Null when the mailbox has another holder. */
    async firstPass({ mailboxId, epoch }: Lease): Promise<number | null> {
      const options = { ...QUERY_LIMIT, returnDocument: 'after', projection: { round: 1 } } as const;
      const lease = await mailboxLeases
        .findOneAndUpdate({ _id: mailboxId, epoch }, { $inc: { round: 1 } }, options)
        .lean<Pick<MailboxLeaseDocument, 'round'> | null>();
      return lease && lease.round;
    },

    /** Another pass over all folders begins. */
    async beginPass({ mailboxId, epoch }: Lease, pass: number): Promise<void> {
      await mailboxLeases.updateOne({ _id: mailboxId, epoch }, { $set: { round: pass } }, QUERY_LIMIT);
    },
  };
}

async function register(
  mailboxLeases: Writes<'mailboxLeases'>['mailboxLeases'],
  mailboxes: readonly Named[],
): Promise<void> {
  const ids = mailboxes.map(({ _id }) => _id);
  const there = await mailboxLeases
    .find({ _id: { $in: ids } }, { until: 1 }, QUERY_LIMIT)
    .lean<Pick<MailboxLeaseDocument, '_id' | 'until'>[]>();
  const known = new Set(there.map(({ _id }) => _id));
  const missing = mailboxes.filter(({ _id }) => !known.has(_id));
  const asleep = there.filter(({ until }) => until.getTime() === ASLEEP.getTime()).map(({ _id }) => _id);
  if (asleep.length > 0)
    await mailboxLeases.updateMany({ _id: { $in: asleep }, until: ASLEEP }, { until: FREE }, QUERY_LIMIT);
  if (missing.length > 0) await insertAll(mailboxLeases, missing);
}

async function insertAll(
  mailboxLeases: Writes<'mailboxLeases'>['mailboxLeases'],
  mailboxes: readonly Named[],
): Promise<void> {
  const leases = mailboxes.map(({ _id, workspaceId }) => ({
    _id,
    workspaceId,
    owner: '',
    epoch: 0,
    until: FREE,
    wantedAt: null,
    round: 0,
    guests: [],
  }));
  try {
    await mailboxLeases.insertMany(leases, { ordered: false });
  } catch (error) {
    // Another process walks over the same mailboxes.
    if (!isAnyDuplicate(error)) throw error;
  }
}

function toLease({ _id, ...lease }: Stored): Lease {
  return { mailboxId: _id, ...lease };
}
