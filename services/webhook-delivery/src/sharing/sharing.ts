import type { DelivererDocument } from '@postroom/mail-store/documents/webhook';
import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import type { DelivererStore } from './deliverer-store.ts';
import { isOwnedBy } from './workspace-owner.ts';

export interface Sharing {
  /** Whether this process delivers for the workspace now. */
  isMine(workspaceId: string): boolean;
  close(): Promise<void>;
}

const EVERY_MS = 1_000;
/** All others know of a new process before it has its share. */
const JOIN_MS = 2_500;
const LIFE_MS = 5_000;

/** The processes that live share the workspaces. One that says nothing for five seconds has none. */
export async function startSharing(
  store: DelivererStore,
  { clock, log, ids }: Pick<ServiceContext, 'clock' | 'log' | 'ids'>,
): Promise<Sharing> {
  const id = ids('pod');
  let live: DelivererDocument[] = [];
  let own: DelivererDocument | undefined;

  const say = async (): Promise<void> => {
    const now = clock.now();
    const others = (await store.everyLive(new Date(now))).filter(({ _id }) => _id !== id);
    const isGone = own === undefined || own.expiresAt.getTime() <= now;
    const joins = others.length === 0 ? now : now + JOIN_MS;
    const activeFrom = isGone ? new Date(joins) : (own as DelivererDocument).activeFrom;
    const mine = { _id: id, activeFrom, expiresAt: new Date(now + LIFE_MS) };
    await store.everyOwnSay(mine);
    own = mine;
    live = [...others, mine];
  };
  await say();
  const saying = repeat(say, {
    name: 'the sign of life of this process',
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    clock,
    log,
  });
  return {
    isMine: (workspaceId) => {
      const now = clock.now();
      const present = live.filter(({ expiresAt }) => expiresAt.getTime() > now);
      return present.some(({ _id }) => _id === id) && isOwnedBy(id, workspaceId, present, now);
    },
    close: async () => {
      await saying.close();
      live = [];
      await store.everyOwnEnd(id);
    },
  };
}
