import type { Collections } from '@postroom/mail-store/collections';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { type Stored, withBuffers } from './send-bytes.ts';

const LIMIT = { maxTimeMS: 10_000 } as const;
const claimed = { ...LIMIT, returnDocument: 'after', sort: { nextAt: 1 } } as const;

/** Whose sends are not taken up now. */
export interface Excepted {
  mailboxIds: readonly string[];
  workspaceIds: readonly string[];
}

/** Across workspaces, because whoever works sends off works for all of them. */
export function dueSends(sends: Collections['sends']) {
  return {
    /**
     * One send of any workspace whose time has come, or whose holder has died; it is the caller's until the lease ends.
     * Those for whom the caller has no place now are passed over.
     */
    async claimDue(now: Date, leaseUntil: Date, { mailboxIds, workspaceIds }: Excepted): Promise<SendDocument | null> {
      const due = {
        nextAt: { $gt: new Date(0), $lte: now },
        workspaceId: { $nin: workspaceIds },
        mailboxId: { $nin: mailboxIds },
      };
      const update = { $set: { nextAt: leaseUntil }, $inc: { epoch: 1 } };
      return withBuffers(await sends.findOneAndUpdate(due, update, claimed).lean<Stored>());
    },

    /** It is due again at once, for whoever has a place for it. */
    async putBack(workspaceId: string, { _id, epoch }: Pick<SendDocument, '_id' | 'epoch'>, now: Date): Promise<void> {
      await sends.updateOne({ _id, workspaceId, epoch }, { $set: { nextAt: now } }, LIMIT);
    },
  };
}
