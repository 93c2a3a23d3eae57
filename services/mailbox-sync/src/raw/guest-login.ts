import { serverAt } from '@postroom/mail-server/server-address';
import type { Clock } from '@postroom/runtime/clock';
import type { Ids } from '@postroom/runtime/ids';
import type { Log } from '@postroom/runtime/log';
import type { DirectoryStore } from '../directory-store.ts';
import type { ImapConnection } from '../imap/imap-connection.ts';
import { providerAt } from '../imap/provider.ts';
import type { GuestStore, Place } from '../leases/guest-store.ts';
import type { Kept, Named } from './shared-connections.ts';

interface GuestDeps {
  guests: GuestStore;
  directory: Pick<DirectoryStore, 'find'>;
  logIn(mailbox: Named, signal: AbortSignal): Promise<ImapConnection>;
  context: { clock: Clock; ids: Ids; log: Log };
}

/** It is longer than any on-demand connection. The slot of a dead process expires after it. */
const PLACE_MS = 300_000;
const ASK_AGAIN_MS = 200;
/** A caller of one email often asks for the next. The user of the last slot gives it to the next waiter. */
const STAY: Readonly<Record<Exclude<Place, 'none'>, { idleMs: number; longestMs: number }>> = {
  free: { idleMs: 5_000, longestMs: 20_000 },
  last: { idleMs: 500, longestMs: 2_000 },
};

/** Logs in once one of the few shared slots of the mailbox is free. The slot is released with the connection. */
export function createGuestLogin({ guests, directory, logIn, context }: GuestDeps) {
  const { clock, ids, log } = context;
  const placesOf = async ({ workspaceId, mailboxId }: Named): Promise<number> => {
    const { server } = (await directory.find(workspaceId, mailboxId)) ?? {};
    return providerAt(server ? serverAt(server.imapAddress).host : '').places;
  };
  const enter = async (mailbox: Named, guest: string, signal: AbortSignal) => {
    const places = await placesOf(mailbox);
    for (;;) {
      signal.throwIfAborted();
      const entering = { guest, places, now: clock.date(), until: new Date(clock.now() + PLACE_MS) };
      const place = await guests.enter(mailbox.workspaceId, mailbox.mailboxId, entering);
      if (place !== 'none') return place;
      await clock.sleep(ASK_AGAIN_MS, signal);
    }
  };

  return async (mailbox: Named, signal: AbortSignal): Promise<Kept> => {
    const guest = ids('gst');
    const leave = () =>
      void guests
        .leave(mailbox.workspaceId, mailbox.mailboxId, guest)
        .catch((error: unknown) => log.warn({ err: error }, 'a place of a mailbox is not given back, and runs out'));
    const place = await enter(mailbox, guest, signal);
    try {
      const connection = await logIn(mailbox, signal);
      const close = () => {
        connection.close();
        leave();
      };
      return { connection: { ...connection, close }, ...STAY[place] };
    } catch (error) {
      leave();
      throw error;
    }
  };
}
