import type { Reads } from '@postroom/mail-store/access';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type ForwardSlotStore = ReturnType<typeof createForwardSlotStore>;

export interface SlotQuery {
  send: Pick<SendDocument, '_id' | 'scheduledSendAt'>;
  at: Date;
  /** All forwards of the workspace, or those of one rule. */
  of: Partial<Pick<SendDocument, 'ruleId'>>;
}

const HOUR_MS = 3_600_000;
const hours = (at: Date, count: number) => new Date(at.getTime() + count * HOUR_MS);
const COUNTED = { kind: 'forward', state: { $ne: 'canceled' } } as const;

/** The times at which the forwards of a workspace leave, or have left. */
export function createForwardSlotStore({ sends }: Reads<'sends'>) {
  return {
    /** The other forwards that leave in the hour up to a time; of those that leave at the very time, where it is the send's own, the lower ids. */
    countInHour(
      workspaceId: string,
      { send: { _id, scheduledSendAt }, at, of }: SlotQuery,
      most: number,
    ): Promise<number> {
      const isOwn = scheduledSendAt?.getTime() === at.getTime();
      const others = isOwn ? { $or: [{ scheduledSendAt: { $lt: at } }, { _id: { $lt: _id } }] } : { _id: { $ne: _id } };
      const inHour = { scheduledSendAt: { $gt: hours(at, -1), $lte: at } };
      return sends.countDocuments(
        { workspaceId, ...COUNTED, ...of, ...inHour, ...others },
        { ...QUERY_LIMIT, limit: most },
      );
    },

    /** The time of the nth last of the other forwards that leave around a time, up to an hour behind it. */
    async nthLast(workspaceId: string, { send: { _id }, at, of }: SlotQuery, nth: number): Promise<Date | null> {
      const around = { scheduledSendAt: { $gt: hours(at, -1), $lte: hours(at, 1) }, _id: { $ne: _id } };
      const found = await sends
        .findOne({ workspaceId, ...COUNTED, ...of, ...around }, { scheduledSendAt: 1 }, QUERY_LIMIT)
        .sort({ scheduledSendAt: -1 })
        .skip(nth - 1)
        .lean<Pick<SendDocument, 'scheduledSendAt'> | null>();
      return found?.scheduledSendAt ?? null;
    },

    /** The number of forwards of a workspace with a time after now, counted to a limit. */
    countWaiting(workspaceId: string, now: Date, most: number): Promise<number> {
      const waiting = { workspaceId, ...COUNTED, scheduledSendAt: { $gt: now } };
      return sends.countDocuments(waiting, { ...QUERY_LIMIT, limit: most });
    },
  };
}
