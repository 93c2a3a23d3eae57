import type { MailboxLeaseDocument } from '@postroom/mail-store/documents/sync';
import { storedName } from '@postroom/mail-store/stored-names';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

type Lease = Pick<MailboxLeaseDocument, '_id' | 'owner' | 'epoch' | 'until'>;

const LEASES = storedName('mailboxLeases');
const SHOWN = { owner: 1, epoch: 1, until: 1 } as const;

/** Sees each claim of a mailbox at the moment of its effect. Returns those that left two holders, in words. */
export function watchLeaseHolders(world: World): readonly string[] {
  const before = new Map<string, Lease>();
  const heldTwice: string[] = [];
  const { database } = world;

  const see = (lease: Lease, by: Process) => {
    const known = before.get(lease._id);
    before.set(lease._id, lease);
    if (!known || lease.owner === '' || lease.owner === known.owner) return;
    if (lease.epoch <= known.epoch) heldTwice.push(`two holders of ${lease._id} have the number ${lease.epoch}`);
    const left = known.until.getTime() - by.context.clock.now();
    if (left > 0) heldTwice.push(`${lease._id} was claimed ${left} ms before the end of its lease`);
  };
  database.onWrite(async ({ collection }, by) => {
    if (collection !== LEASES) return;
    const { cursor } = await database.run({ find: LEASES, projection: SHOWN, batchSize: 1_000 });
    for (const lease of (cursor as { firstBatch: Lease[] }).firstBatch) see(lease, by);
  });
  return heldTwice;
}
