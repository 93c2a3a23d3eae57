import type { Writes } from '@postroom/mail-store/access';
import type { MailboxLeaseDocument } from '@postroom/mail-store/documents/sync';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type OnDemandSlotStore = ReturnType<typeof createOnDemandSlotStore>;

/** All slots are taken, so the next caller waits. */
export type SlotState = 'free' | 'last' | 'none';

export interface Entering {
  connectionId: string;
  now: Date;
  until: Date;
  /** The number of slots. */
  slots: number;
}

/** The on-demand connections to a mailbox, of all processes. */
export function createOnDemandSlotStore({ mailboxLeases }: Writes<'mailboxLeases'>) {
  return {
    /** Takes a slot if one is free. A slot that is not released expires. */
    async enter(
      workspaceId: string,
      mailboxId: string,
      { connectionId, now, until, slots }: Entering,
    ): Promise<SlotState> {
      const lease = { _id: mailboxId, workspaceId };
      const isOver = { until: { $lt: now } };
      const late = { ...lease, 'guests.until': isOver.until };
      await mailboxLeases.updateOne(late, { $pull: { guests: isOver } }, QUERY_LIMIT);
      const free = { ...lease, [`guests.${slots - 1}`]: { $exists: false } };
      const taken = { $push: { guests: { guest: connectionId, until } } };
      const options = { ...QUERY_LIMIT, returnDocument: 'after', projection: { guests: 1 } } as const;
      const entered = await mailboxLeases
        .findOneAndUpdate(free, taken, options)
        .lean<Pick<MailboxLeaseDocument, 'guests'> | null>();
      if (!entered) return 'none';
      return entered.guests.length >= slots ? 'last' : 'free';
    },

    async leave(workspaceId: string, mailboxId: string, connectionId: string): Promise<void> {
      await mailboxLeases.updateOne(
        { _id: mailboxId, workspaceId },
        { $pull: { guests: { guest: connectionId } } },
        QUERY_LIMIT,
      );
    },
  };
}
