import type { Writes } from '@postroom/mail-store/access';
import type { RefusedPart, SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { type Trouble, TROUBLES } from './trouble.ts';

export interface ReportedSend {
  operation?: string | undefined;
  messageIds: readonly string[];
}

/** Records and finds failures of outgoing mail, for operators and delivery reports. */
export function troubledSends(sends: Writes<'sends'>['sends']) {
  return {
    /** Records the refused recipients of a finished send. No process holds it, so the epoch is not checked. */
    async noteRefused(workspaceId: string, id: string, refused: RefusedPart[]): Promise<void> {
      await sends.updateOne({ _id: id, workspaceId }, { $set: { refused } }, QUERY_LIMIT);
    },

    /** Records a recipient whose message came back. A repeated report changes nothing. */
    async noteCameBack(workspaceId: string, id: string, refused: RefusedPart): Promise<void> {
      const { address } = refused;
      const isNew = { _id: id, workspaceId, 'refused.address': { $ne: address } };
      const { matchedCount } = await sends.updateOne(isNew, { $push: { refused } }, QUERY_LIMIT);
      if (matchedCount > 0) return;
      const arrayFilters = [{ 'one.address': address }];
      const change = { $set: { 'refused.$[one]': refused } };
      await sends.updateOne({ _id: id, workspaceId }, change, { arrayFilters, ...QUERY_LIMIT });
    },

    /**
     * The send that a report is about, with the sends to its deferred recipients. A report comes to the mailbox that sent
     * the message: one that another mailbox receives is forged.
     */
    async findReported(
      workspaceId: string,
      mailboxId: string,
      { operation, messageIds }: ReportedSend,
    ): Promise<SendDocument[]> {
      const named =
        operation === undefined
          ? null
          : await sends.findOne({ _id: operation, workspaceId, mailboxId }, { messageId: 1 }, QUERY_LIMIT).lean();
      const ids = named ? [named.messageId] : messageIds;
      const family = await sends
        .find({ workspaceId, mailboxId, messageId: { $in: ids } }, { wire: 0, kept: 0 }, QUERY_LIMIT)
        .lean();
      return family.map((send) => ({ ...send, wire: null, kept: null }));
    },

    /** The newest of those with this trouble, without their messages. */
    async troubled(
      workspaceId: string,
      trouble: Trouble,
      mailboxId: string | undefined,
      limit: number,
    ): Promise<Omit<SendDocument, 'wire' | 'kept'>[]> {
      const where = { workspaceId, ...TROUBLES[trouble], ...(mailboxId !== undefined && { mailboxId }) };
      return sends
        .find(where, { wire: 0, kept: 0 }, QUERY_LIMIT)
        .sort({ createdAt: -1 })
        .limit(limit)
        .lean<Omit<SendDocument, 'wire' | 'kept'>[]>();
    },
  };
}
