import type { Writes } from '@postroom/mail-store/access';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import type { Excepted } from '../send-permits/send-permits.ts';
import { type Stored, withBuffers } from './send-bytes.ts';
import { BEFORE_ITS_END } from './send-states.ts';

const claimed = { ...QUERY_LIMIT, returnDocument: 'after', sort: { nextAt: 1 } } as const;

const WAIT: readonly SendDocument['kind'][] = ['approved', 'reply', 'forward'];
/** These are scheduled, so they are late only after their scheduled time. One that awaits approval has no time yet. */
const since = (kind: SendDocument['kind'], now: Date) =>
  WAIT.includes(kind) ? { scheduledSendAt: { $lte: now } } : {};

/** The sends that contact no server, in two parts, each of which the index alone finds. */
const WITHOUT_SERVER = [{ state: { $nin: BEFORE_ITS_END } }, { kind: 'send' }] as const;

/** All workspaces, because a worker works for all of them. */
export function dueSends(sends: Writes<'sends'>['sends']) {
  const claim = async (which: object, now: Date, leaseUntil: Date): Promise<SendDocument | null> => {
    const due = { nextAt: { $gt: new Date(0), $lte: now }, ...which };
    const update = { $set: { nextAt: leaseUntil }, $inc: { epoch: 1 } };
    return withBuffers(await sends.findOneAndUpdate(due, update, claimed).lean<Stored>());
  };
  return {
    /** The number of late sends of a kind, counted up to a limit, and the time since which the first is late. */
    async everyWorkspacesLate(kind: SendDocument['kind'], now: Date, limit: number) {
      // The query uses the next time, which only unfinished sends have. They are few.
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
     * Claims one due send of any workspace, also one whose holder has died. The caller holds it until the lease ends.
     * Sends for which the caller has no permit now are skipped.
     */
    claimDue(now: Date, leaseUntil: Date, { mailboxIds, workspaceIds }: Excepted): Promise<SendDocument | null> {
      return claim({ workspaceId: { $nin: workspaceIds }, mailboxId: { $nin: mailboxIds } }, now, leaseUntil);
    },

    /** Claims one that needs no permit, so that a mailbox whose server is unavailable does not delay it. */
    async claimWithoutServer(now: Date, leaseUntil: Date): Promise<SendDocument | null> {
      const [first, second] = WITHOUT_SERVER;
      return (await claim(first, now, leaseUntil)) ?? claim(second, now, leaseUntil);
    },

    /** Makes it due again at once, for any worker with a permit. */
    async putBack(workspaceId: string, { _id, epoch }: Pick<SendDocument, '_id' | 'epoch'>, now: Date): Promise<void> {
      await sends.updateOne({ _id, workspaceId, epoch }, { $set: { nextAt: now } }, QUERY_LIMIT);
    },
  };
}
