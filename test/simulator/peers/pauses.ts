import { storedName } from '@postroom/mail-store/stored-names';
import type { World } from '../world/world.ts';
import type { Address } from './mail-source.ts';

/** A time in which nothing of a workspace may begin to leave by itself. */
export interface Pause {
  workspaceId: string;
  from: number;
  until: number;
}

const LATEST_MS = 15_000;
const LENGTH_MS = { least: 500, most: 9_000 };

/** Stands for workspace: a login is refused or a bill is open, and both end after a while. */
export function openPauses(world: World, { workspaceId, mailboxId }: Address): Pause {
  const { chance, database, trace } = world;
  const isDisconnected = chance.happens(0.5);
  const from = world.now() + chance.below(LATEST_MS);
  const until = from + chance.between(LENGTH_MS.least, LENGTH_MS.most);
  const set = (collection: 'mailboxes' | 'workspaces', _id: string, $set: object) =>
    database.run({ update: storedName(collection), updates: [{ q: { _id }, u: { $set } }] });
  const change = async (isPaused: boolean): Promise<void> => {
    const what = isDisconnected ? mailboxId : workspaceId;
    trace.say('workspace', `${what} ${isPaused ? 'may send no more' : 'may send again'}`);
    if (isDisconnected) await set('mailboxes', mailboxId, { status: isPaused ? 'disconnected' : 'active' });
    else await set('workspaces', workspaceId, { suspendedAt: isPaused ? new Date(world.now()) : null });
  };
  world.after(from - world.now(), undefined, () => change(true));
  world.after(until - world.now(), undefined, () => change(false));
  return { workspaceId, from, until };
}
