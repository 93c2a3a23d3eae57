import type { Collections } from '@postroom/mail-store/collections';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { type Stored, withBuffers } from './send-bytes.ts';

const LIMIT = { maxTimeMS: 10_000 } as const;
const claimed = { ...LIMIT, returnDocument: 'after', sort: { nextAt: 1 } } as const;

/** Across workspaces, because whoever works sends off works for all of them. */
export function dueSends(sends: Collections['sends']) {
  return {
    /**
     * One send of any workspace whose time has come, or whose holder has died; it is the caller's until the lease ends.
     * Mailboxes that keep the caller busy enough are passed over.
     */
    async claimDue(now: Date, leaseUntil: Date, busy: readonly string[]): Promise<SendDocument | null> {
      const due = { nextAt: { $gt: new Date(0), $lte: now }, ...(busy.length > 0 && { mailboxId: { $nin: busy } }) };
      const update = { $set: { nextAt: leaseUntil }, $inc: { epoch: 1 } };
      return withBuffers(await sends.findOneAndUpdate(due, update, claimed).lean<Stored>());
    },
  };
}
