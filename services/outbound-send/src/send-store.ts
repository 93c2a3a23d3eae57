import type { Collections } from '@postroom/mail-store/collections';
import type { SendDocument, SendState } from '@postroom/mail-store/documents/send';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';

export type SendStore = ReturnType<typeof createSendStore>;
export type SendChange = Partial<Omit<SendDocument, '_id' | 'workspaceId' | 'epoch'>>;
/** What names one holder of a send. */
export type Held = Pick<SendDocument, '_id' | 'epoch'>;

const LIMIT = { maxTimeMS: 10_000 } as const;
const after = { ...LIMIT, returnDocument: 'after' } as const;

export function createSendStore({ sends }: Pick<Collections, 'sends'>) {
  return {
    find(workspaceId: string, id: string): Promise<SendDocument | null> {
      return sends.findOne({ _id: id, workspaceId }, null, LIMIT).lean<SendDocument | null>();
    },

    /** False where the operation has its send already. */
    async insert(workspaceId: string, send: SendDocument): Promise<boolean> {
      try {
        await sends.create([{ ...send, workspaceId }]);
        return true;
      } catch (error) {
        if (isAnyDuplicate(error)) return false;
        throw error;
      }
    },

    /** The next step of who holds it; false once somebody else does, or it is not where the holder left it. */
    async advance(
      workspaceId: string,
      { _id, epoch }: Held,
      from: readonly SendState[],
      change: SendChange,
    ): Promise<boolean> {
      const held = { _id, workspaceId, epoch, state: { $in: from } };
      return (await sends.updateOne(held, { $set: change }, LIMIT)).matchedCount === 1;
    },

    /** Takes up a send that is in one of these states, with a lease until `nextAt`; null where it is not any more. */
    takeUp(
      workspaceId: string,
      { _id, epoch }: Held,
      from: readonly SendState[],
      change: SendChange,
    ): Promise<SendDocument | null> {
      const seen = { _id, workspaceId, epoch, state: { $in: from } };
      return sends.findOneAndUpdate(seen, { $set: change, $inc: { epoch: 1 } }, after).lean<SendDocument | null>();
    },

    /** One send of any workspace whose time has come, or whose holder has died; it is the caller's until the lease ends. */
    claimDue(now: Date, leaseUntil: Date): Promise<SendDocument | null> {
      const due = { nextAt: { $gt: new Date(0), $lte: now } };
      return sends
        .findOneAndUpdate(due, { $set: { nextAt: leaseUntil }, $inc: { epoch: 1 } }, { ...after, sort: { nextAt: 1 } })
        .lean<SendDocument | null>();
    },
  };
}
