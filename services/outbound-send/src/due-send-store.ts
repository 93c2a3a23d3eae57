import type { Writes } from '@postroom/mail-store/access';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { type Stored, withBuffers } from './send-bytes.ts';

const claimed = { ...QUERY_LIMIT, returnDocument: 'after', sort: { nextAt: 1 } } as const;

/** Whose sends are not taken up now. */
export interface Excepted {
  mailboxIds: readonly string[];
  workspaceIds: readonly string[];
}

const WAIT: readonly SendDocument['kind'][] = ['reply', 'forward'];
/** A reply or a forward waits for its time, and is late only behind it. */
const since = (kind: SendDocument['kind'], now: Date) =>
  WAIT.includes(kind) ? { scheduledSendAt: { $lte: now } } : {};

/** Across workspaces, because whoever works sends off works for all of them. */
export function dueSends(sends: Writes<'sends'>['sends']) {
  return {
    /** How many of a kind should have left by now, counted to a limit, and since when the first of them. */
    async everyWorkspacesLate(kind: SendDocument['kind'], now: Date, limit: number) {
      // Looked for by their next time, which all of them have and nothing else has; there are few.
      const late = { nextAt: { $gt: new Date(0) }, kind, state: { $ne: 'unknown' }, ...since(kind, now) } as const;
      const [count, first] = await Promise.all([
        sends.countDocuments(late, { ...QUERY_LIMIT, limit }),
        sends
          .findOne(late, { createdAt: 1, scheduledSendAt: 1 }, QUERY_LIMIT)
          .sort({ createdAt: 1 })
          .lean<Pick<SendDocument, 'createdAt' | 'scheduledSendAt'> | null>(),
      ]);
      return { count, since: first ? (first.scheduledSendAt ?? first.createdAt) : undefined };
    },

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
      await sends.updateOne({ _id, workspaceId, epoch }, { $set: { nextAt: now } }, QUERY_LIMIT);
    },
  };
}
