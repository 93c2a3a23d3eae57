import type { Writes } from '@postroom/mail-store/access';
import type { MailboxLeaseDocument } from '@postroom/mail-store/documents/sync';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type SyncRequestStore = ReturnType<typeof createSyncRequestStore>;
type Named = Pick<MailboxLeaseDocument, '_id'>;

const NEVER = new Date(0);

/** Requests to the present holder of a lease. */
export function createSyncRequestStore({ mailboxLeases }: Writes<'mailboxLeases'>) {
  return {
    async isHeld(workspaceId: string, mailboxId: string, now: Date): Promise<boolean> {
      const held = { _id: mailboxId, workspaceId, owner: { $gt: '' }, until: { $gt: now } };
      return (await mailboxLeases.findOne(held, { _id: 1 }, QUERY_LIMIT).lean()) !== null;
    },

    /** Requests a sync pass of this mailbox. False when it has no lease. */
    async request(workspaceId: string, mailboxId: string, now: Date): Promise<boolean> {
      const wanted = { $set: { wantedAt: now } };
      return (await mailboxLeases.updateOne({ _id: mailboxId, workspaceId }, wanted, QUERY_LIMIT)).matchedCount === 1;
    },

    /** The requested mailboxes of this owner. Each request is returned once. */
    async takeRequested(owner: string): Promise<string[]> {
      const wanted = { owner, wantedAt: { $gt: NEVER } };
      const ids = (await mailboxLeases.find(wanted, { _id: 1 }, QUERY_LIMIT).lean<Named[]>()).map(({ _id }) => _id);
      if (ids.length > 0)
        await mailboxLeases.updateMany({ _id: { $in: ids } }, { $set: { wantedAt: null } }, QUERY_LIMIT);
      return ids;
    },
  };
}
