import type { Writes } from '@postroom/mail-store/access';
import type { IdempotencyDocument, StoredAnswer } from '@postroom/mail-store/documents/gateway';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { timeLimit } from '@postroom/mail-store/time-limit';

export type Attempt = Pick<
  IdempotencyDocument,
  '_id' | 'workspaceId' | 'fingerprint' | 'attemptId' | 'operationId' | 'leaseUntil' | 'expiresAt'
>;

type Claim =
  | { outcome: 'claimed'; operationId: string }
  | { outcome: 'answered'; answer: StoredAnswer }
  | { outcome: 'other-request' }
  | { outcome: 'in-progress' };

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

interface Moment {
  now: Date;
  remainingMs(): number;
}

/** A record may be removed or taken over between two reads, but not more than a few times in a row. */
const MOST_READS = 4;
const LONG_AGO = new Date(0);
const OPEN = { answer: null, isFree: false } as const;

type Records = Writes<'idempotencyRecords'>['idempotencyRecords'];

export function createIdempotencyStore({ idempotencyRecords: records }: Writes<'idempotencyRecords'>) {
  const readRecord = async (attempt: Attempt, moment: Moment): Promise<Claim | undefined> => {
    const { _id, workspaceId, fingerprint } = attempt;
    const seen = await records
      .findOne({ _id, workspaceId }, null, timeLimit(moment))
      .lean<IdempotencyDocument | null>();
    if (!seen) return undefined;
    const isOver = seen.expiresAt <= moment.now;
    if (!isOver && !seen.isFree && seen.fingerprint !== fingerprint) return { outcome: 'other-request' };
    if (!isOver && seen.answer) return { outcome: 'answered', answer: seen.answer };
    if (!isOver && seen.leaseUntil > moment.now) return { outcome: 'in-progress' };
    return takeOver(records, seen, attempt, moment);
  };

  const insert = async (workspaceId: string, attempt: Attempt): Promise<boolean> => {
    try {
      await records.create([{ ...attempt, workspaceId, ...OPEN }]);
      return true;
    } catch (error) {
      if (isAnyDuplicate(error)) return false;
      throw error;
    }
  };

  return {
    /** Makes the attempt the owner of its key, or returns the reason why it cannot be. */
    async claim(workspaceId: string, attempt: Attempt, moment: Moment): Promise<Claim> {
      for (let read = 0; read < MOST_READS; read++) {
        if (await insert(workspaceId, attempt)) return { outcome: 'claimed', operationId: attempt.operationId };
        const claim = await readRecord(attempt, moment);
        if (claim) return claim;
      }
      return { outcome: 'in-progress' };
    },

    /** Keeps the answer, unless the attempt has lost its key in the meantime. */
    async complete(workspaceId: string, { _id, attemptId }: Attempt, answer: StoredAnswer): Promise<void> {
      await records.updateOne({ _id, workspaceId, attemptId }, { $set: { answer } });
    },

    /** Frees the key for another try of the same request, which is the same operation, or for another request. */
    async release(workspaceId: string, { _id, attemptId }: Attempt): Promise<void> {
      await records.updateOne({ _id, workspaceId, attemptId }, { $set: { leaseUntil: LONG_AGO, isFree: true } });
    },

    /** Leaves the key to its request alone, as a crash would, while what became of it is not known. */
    async leaveOpen(workspaceId: string, { _id, attemptId }: Attempt): Promise<void> {
      await records.updateOne({ _id, workspaceId, attemptId }, { $set: { leaseUntil: LONG_AGO } });
    },
  };
}

/** Takes a record over, if it is still as it was seen; of several who try, one succeeds. */
async function takeOver(
  records: Records,
  seen: IdempotencyDocument,
  attempt: Attempt,
  moment: Moment,
): Promise<Claim | undefined> {
  const { _id, workspaceId, ...fresh } = attempt;
  const isRepeat = seen.expiresAt > moment.now && seen.fingerprint === attempt.fingerprint;
  const operationId = isRepeat ? seen.operationId : attempt.operationId;
  const { attemptId, leaseUntil } = seen;
  // A call that outlived its lease may have stored its answer since the record was read.
  const unchanged = { _id, workspaceId, attemptId, leaseUntil, ...(seen.answer === null && { answer: null }) };
  const taken = await records.updateOne(unchanged, { $set: { ...fresh, ...OPEN, operationId } }, timeLimit(moment));
  return taken.modifiedCount === 1 ? { outcome: 'claimed', operationId } : undefined;
}
