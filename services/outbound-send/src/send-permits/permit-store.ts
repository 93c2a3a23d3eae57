import type { Writes } from '@postroom/mail-store/access';
import type { SendPermitsDocument, SendPermitPart } from '@postroom/mail-store/documents/send';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type PermitStore = ReturnType<typeof createPermitStore>;

interface PermitRequest {
  permit: SendPermitPart;
  now: Date;
  /** The maximum number of messages of the mailbox in transit at once. */
  most: number;
  /** For messages that no caller waits for: the time that one message adds to `pacedUntil`, and its maximum lead. */
  pace?: { perMessageMs: number; aheadMs: number } | undefined;
}

/** The result of a permit, which is stored when the permit is released. */
export interface Given {
  served?: { failures: number; restsUntil: Date } | undefined;
  /** The paced time to give back, if no server was contacted. */
  unusedMs?: number | undefined;
}

const KEPT_MS = 24 * 60 * 60_000;
/** No caller asks for more than a part of this. A later time was written by a clock that was set back since. */
export const FURTHEST_MS = 10 * 60_000;
const NEVER = new Date(0);
const taken = { ...QUERY_LIMIT, returnDocument: 'after', projection: { failures: 1 } } as const;
const seen = { ...QUERY_LIMIT, returnDocument: 'after' } as const;

type Collection = Writes<'sendPermits'>;

/** Each mailbox has one document. Every change checks its condition in the same command. */
export function createPermitStore({ sendPermits }: Collection) {
  return {
    ...taking({ sendPermits }),

    /** Removes expired permits and returns the document. `wantedUntil` reserves the next permit for a caller. */
    async read(
      workspaceId: string,
      mailboxId: string,
      now: Date,
      wantedUntil: Date | undefined,
    ): Promise<SendPermitsDocument | null> {
      const expiresAt = new Date(now.getTime() + KEPT_MS);
      const furthest = new Date(now.getTime() + FURTHEST_MS);
      const change = {
        $pull: { holders: { until: { $not: { $gt: now, $lte: furthest } } } },
        $min: { pacedUntil: furthest.getTime(), restsUntil: furthest, ...(!wantedUntil && { wantedUntil: furthest }) },
        ...(wantedUntil && { $max: { wantedUntil } }),
        $set: { expiresAt },
      };
      const mailbox = { _id: mailboxId, workspaceId };
      const stands = await sendPermits.findOneAndUpdate(mailbox, change, seen).lean<SendPermitsDocument | null>();
      if (stands) return stands;
      const fresh = { holders: [], wantedUntil: wantedUntil ?? NEVER, pacedUntil: 0, failures: 0, restsUntil: NEVER };
      const made = { ...mailbox, ...fresh, expiresAt };
      try {
        await sendPermits.create([made]);
        return made;
      } catch (error) {
        // Two processes create the document at the same time.
        if (isAnyDuplicate(error)) return null;
        throw error;
      }
    },

    /** The permit counts twice for a moment, so that there is no moment in which it does not count. */
    async extend(workspaceId: string, mailboxId: string, { id, until }: SendPermitPart, longer: Date): Promise<void> {
      const mailbox = { _id: mailboxId, workspaceId };
      await sendPermits.updateOne(mailbox, { $push: { holders: { id, until: longer } } }, QUERY_LIMIT);
      await sendPermits.updateOne(mailbox, { $pull: { holders: { id, until } } }, QUERY_LIMIT);
    },

    async leave(workspaceId: string, mailboxId: string, id: string, { served, unusedMs }: Given): Promise<void> {
      const change = {
        $pull: { holders: { id } },
        ...(served && (served.failures === 0 ? { $set: served } : { $max: served })),
        ...(unusedMs && { $inc: { pacedUntil: -unusedMs } }),
      };
      await sendPermits.updateOne({ _id: mailboxId, workspaceId }, change, QUERY_LIMIT);
    },
  };
}

function taking({ sendPermits }: Collection) {
  return {
    /** Null if no permit is free, or if the mailbox has no document yet. */
    async take(
      workspaceId: string,
      mailboxId: string,
      { permit, now, most, pace }: PermitRequest,
    ): Promise<Pick<SendPermitsDocument, 'failures'> | null> {
      const free = { _id: mailboxId, workspaceId, [`holders.${most - 1}`]: { $exists: false } };
      const change = { $push: { holders: permit }, $set: { expiresAt: new Date(now.getTime() + KEPT_MS) } };
      if (!pace) return sendPermits.findOneAndUpdate(free, change, taken).lean<SendPermitsDocument | null>();
      const at = now.getTime();
      const { perMessageMs, aheadMs } = pace;
      const quiet = { ...free, wantedUntil: { $lte: now }, restsUntil: { $lte: now } };
      const anew = { ...change, $set: { ...change.$set, pacedUntil: at + perMessageMs } };
      const more = { ...change, $inc: { pacedUntil: perMessageMs } };
      const behind = { ...quiet, pacedUntil: { $lte: at } };
      const ahead = { ...quiet, pacedUntil: { $gt: at, $lte: at + aheadMs } };
      return (
        (await sendPermits.findOneAndUpdate(behind, anew, taken).lean<SendPermitsDocument | null>()) ??
        sendPermits.findOneAndUpdate(ahead, more, taken).lean<SendPermitsDocument | null>()
      );
    },
  };
}
