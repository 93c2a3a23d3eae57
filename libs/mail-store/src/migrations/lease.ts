import type { Connection } from 'mongoose';
import type { Clock } from '@postroom/runtime/clock';
import type { Ids } from '@postroom/runtime/ids';
import { silentLog } from '@postroom/runtime/log';
import { repeat } from '@postroom/runtime/repeat';
import { isAnyDuplicate } from '../duplicate.ts';
import { SCHEMA_ID, versionsOf } from '../schema-version.ts';
import type { OnProgress } from './progress.ts';

/** A migration that was killed keeps others out for so long. */
const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
const ASK_AGAIN_MS = 1_000;

interface LeaseDeps {
  connection: Connection;
  clock: Clock;
  ids: Ids;
  onProgress: OnProgress;
}

/** Another process took the lease. It does so only when this process stood still for longer than the lease. */
class LeaseLost extends Error {
  constructor() {
    super('another migration has taken over; it does the same work, so look there');
  }
}

interface Lease {
  /** Asked before every write that two at once might spoil. */
  assertHeld(): void;
}

/** One migration at a time: the second waits, and then finds the work done. */
export async function underLease<R>(deps: LeaseDeps, work: (lease: Lease) => Promise<R>): Promise<R> {
  const { clock } = deps;
  const holder = deps.ids('mig');
  let until = await acquire(deps, holder);
  const renew = async () => {
    // A database that is unavailable for a moment does no harm while the lease is valid.
    until = await extend(deps, holder).catch(() => until);
  };
  const name = 'the renewal of the migration lease';
  const renewing = repeat(renew, { name, everyMs: RENEW_MS, firstAfterMs: RENEW_MS, clock, log: silentLog });
  const assertHeld = () => {
    if (clock.now() >= until) throw new LeaseLost();
  };
  try {
    return await work({ assertHeld });
  } finally {
    await renewing.close();
    // When this fails the lease ends by itself, and the error of the work is the better one to report.
    await release(deps, holder).catch(() => undefined);
  }
}

async function acquire({ connection, clock, onProgress }: LeaseDeps, holder: string): Promise<number> {
  const versions = versionsOf(connection);
  await versions
    .updateOne({ _id: SCHEMA_ID }, { $setOnInsert: { version: 0, migratedAt: null } }, { upsert: true })
    .catch((error: unknown) => {
      if (!isAnyDuplicate(error)) throw error;
    });
  for (;;) {
    const leaseUntil = new Date(clock.now() + LEASE_MS);
    const free = { $or: [{ leaseUntil: null }, { leaseUntil: { $lte: clock.date() } }] };
    const { matchedCount } = await versions.updateOne({ _id: SCHEMA_ID, ...free }, { $set: { holder, leaseUntil } });
    if (matchedCount === 1) return leaseUntil.getTime();
    await onProgress({ at: 'waiting' });
    await clock.sleep(ASK_AGAIN_MS);
  }
}

async function release({ connection }: LeaseDeps, holder: string): Promise<void> {
  await versionsOf(connection).updateOne({ _id: SCHEMA_ID, holder }, { $set: { leaseUntil: null } });
}

/** The end of the lease, or now when another process holds it. */
async function extend({ connection, clock }: LeaseDeps, holder: string): Promise<number> {
  const leaseUntil = new Date(clock.now() + LEASE_MS);
  const { matchedCount } = await versionsOf(connection).updateOne({ _id: SCHEMA_ID, holder }, { $set: { leaseUntil } });
  return matchedCount === 1 ? leaseUntil.getTime() : clock.now();
}
