import { storedName } from '@postroom/mail-store/stored-names';
import { PERMITS_OF_A_MAILBOX } from '../pods/outbound-send.ts';
import type { Document } from '../world/driver-collection.ts';
import { FARTHEST_CLOCK_MS, type Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

interface Permit {
  id: string;
  until: Date;
}

interface Permits {
  _id: string;
  holders: Permit[];
}

/** Faults that show at the moment of a write: mailboxes with more permits than they may have, and permits that were lost. */
export interface Witness {
  tooManyPermits: readonly string[];
  lostPermits: readonly string[];
  /** The process that took each permit. */
  takers: ReadonlyMap<string, Process>;
}

/** The change of a write to the holders of permits. */
interface Change {
  $push?: { holders: Permit };
  $pull?: { holders: Partial<Permit> };
}

/**
 * A permit is taken by a write that finds and changes. It is renewed by two writes: the first adds the new time, and the
 * second removes the old one. A process that stood still renews a permit that was over, so only taking is counted.
 */
export function openWitness(world: World): Witness {
  const { database } = world;
  const tooManyPermits: string[] = [];
  const lostPermits: string[] = [];
  const renewedUntil = new Map<string, number>();
  const takers = new Map<string, Process>();
  const collection = storedName('sendPermits');
  const find = async (_id: unknown): Promise<Permits | undefined> => {
    const { cursor } = await database.run({ find: collection, filter: { _id }, projection: { holders: 1 } });
    return (cursor as { firstBatch: Permits[] }).firstBatch[0];
  };
  const seeTaking = async ({ query, update }: { query: Document; update: Change }, reply: Document, by: Process) => {
    if (!update.$push || reply['value'] === null) return;
    takers.set(update.$push.holders.id, by);
    const count = new Set((await find(query['_id']))?.holders.map(({ id }) => id)).size;
    if (count > PERMITS_OF_A_MAILBOX) tooManyPermits.push(`${String(query['_id'])} has ${count} permits at once`);
  };
  const seeRenewal = async ({ q, u: { $push, $pull } }: { q: Document; u: Change }) => {
    if ($push) renewedUntil.set($push.holders.id, $push.holders.until.getTime());
    const { id, until } = $pull?.holders ?? {};
    if (id === undefined) return;
    // Its message has ended, perhaps between the two writes of a renewal.
    if (!(until instanceof Date)) return void renewedUntil.set(id, 0);
    const isHeld = (await find(q['_id']))?.holders.some((permit) => permit.id === id);
    const isOver = (renewedUntil.get(id) ?? Infinity) < world.now() + 2 * FARTHEST_CLOCK_MS;
    if (!isHeld && !isOver) lostPermits.push(`${String(q['_id'])} lost a permit that was renewed`);
  };
  database.onWrite(async (written, by) => {
    const { command, body, reply } = written;
    if (written.collection !== collection) return;
    if (command === 'findAndModify') await seeTaking(body as never, reply, by);
    if (command === 'update') await seeRenewal((body['updates'] as never[])[0] as never);
  });
  return { tooManyPermits, lostPermits, takers };
}
