import { serverAt } from '@postroom/mail-server/server-address';
import type { Clock } from '@postroom/runtime/clock';
import type { Ids } from '@postroom/runtime/ids';
import type { Log } from '@postroom/runtime/log';
import type { SyncedMailboxStore } from '../mailboxes/synced-mailbox-store.ts';
import type { ImapConnection } from '../imap/imap-connection.ts';
import { providerAt } from '../imap/provider.ts';
import type { OnDemandSlotStore, SlotState } from '../leases/on-demand-slot-store.ts';
import type { Kept, Named } from './shared-connections.ts';

interface OnDemandDeps {
  onDemandSlots: OnDemandSlotStore;
  mailboxes: Pick<SyncedMailboxStore, 'find'>;
  logIn(mailbox: Named, signal: AbortSignal): Promise<ImapConnection>;
  context: { clock: Clock; ids: Ids; log: Log };
}

/** It is longer than any on-demand connection. The slot of a dead process expires after it. */
const SLOT_MS = 300_000;
const ASK_AGAIN_MS = 200;
/** A caller of one email often asks for the next. The user of the last slot gives it to the next waiter. */
const STAY: Readonly<Record<Exclude<SlotState, 'none'>, { idleMs: number; longestMs: number }>> = {
  free: { idleMs: 5_000, longestMs: 20_000 },
  last: { idleMs: 500, longestMs: 2_000 },
};

/** Logs in once one of the few shared slots of the mailbox is free. The slot is released with the connection. */
export function createOnDemandLogin({ onDemandSlots, mailboxes, logIn, context }: OnDemandDeps) {
  const { clock, ids, log } = context;
  const slotsOf = async ({ workspaceId, mailboxId }: Named): Promise<number> => {
    const { server } = (await mailboxes.find(workspaceId, mailboxId)) ?? {};
    return providerAt(server ? serverAt(server.imapAddress).host : '').onDemandConnections;
  };
  const enter = async (mailbox: Named, connectionId: string, signal: AbortSignal) => {
    const slots = await slotsOf(mailbox);
    for (;;) {
      signal.throwIfAborted();
      const entering = { connectionId, slots, now: clock.date(), until: new Date(clock.now() + SLOT_MS) };
      const slot = await onDemandSlots.enter(mailbox.workspaceId, mailbox.mailboxId, entering);
      if (slot !== 'none') return slot;
      await clock.sleep(ASK_AGAIN_MS, signal);
    }
  };

  return async (mailbox: Named, signal: AbortSignal): Promise<Kept> => {
    const connectionId = ids('gst');
    const leave = () =>
      void onDemandSlots
        .leave(mailbox.workspaceId, mailbox.mailboxId, connectionId)
        .catch((error: unknown) => log.warn({ err: error }, 'on-demand slot of a mailbox not released; it expires'));
    const slot = await enter(mailbox, connectionId, signal);
    try {
      const connection = await logIn(mailbox, signal);
      const close = () => {
        connection.close();
        leave();
      };
      return { connection: { ...connection, close }, ...STAY[slot] };
    } catch (error) {
      leave();
      throw error;
    }
  };
}
