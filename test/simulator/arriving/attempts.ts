import { storedName } from '@postroom/mail-store/stored-names';
import type { Document } from '../world/driver-collection.ts';
import { FARTHEST_CLOCK_MS, type Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

interface Attempt {
  by: Process;
  until: number;
}

export interface Attempts {
  /** Attempts at the forwards of one email that began while another one held its lease. */
  atOnce: readonly string[];
  /** The attempts that have begun and not ended, by their id. */
  open: ReadonlyMap<string, Attempt>;
}

/** The clocks of two pods differ by so much at the most. */
const BETWEEN_CLOCKS_MS = 2 * FARTHEST_CLOCK_MS;

/** Sees the counted attempts at forwards, at the moment of each write. */
export function watchAttempts(world: World): Attempts {
  const open = new Map<string, Attempt>();
  const atOnce: string[] = [];
  const begin = ({ _id, leaseUntil }: { _id: string; leaseUntil: Date }, by: Process) => {
    const before = open.get(_id);
    if (before && before.until > world.now() + BETWEEN_CLOCKS_MS)
      atOnce.push(`${by.name} began ${_id} while ${before.by.name} was at it`);
    open.set(_id, { by, until: leaseUntil.getTime() });
  };
  world.database.onWrite(async ({ collection, command, body, reply }, by) => {
    if (collection !== storedName('forwardAttempts')) return;
    if (command === 'findAndModify' && reply['value']) begin(reply['value'] as never, by);
    const [{ q } = { q: {} }] = ((body['updates'] ?? body['deletes']) as { q: Document }[] | undefined) ?? [];
    if (typeof q['_id'] === 'string' && Number(reply['n']) > 0) open.delete(q['_id']);
  });
  return { atOnce, open };
}
