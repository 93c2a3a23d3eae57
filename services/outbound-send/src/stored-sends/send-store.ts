import type { Writes } from '@postroom/mail-store/access';
import type { SendDocument, SendState } from '@postroom/mail-store/documents/send';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { QUERY_LIMIT, type TimeBudget, timeLimit } from '@postroom/mail-store/time-limit';
import { dueSends } from './due-send-store.ts';
import { troubledSends } from './troubled-send-store.ts';
import { type Stored, withBuffers } from './send-bytes.ts';
import { UNDER_WAY } from './send-states.ts';

export type SendStore = ReturnType<typeof createSendStore>;
export type SendChange = Partial<Omit<SendDocument, '_id' | 'workspaceId' | 'epoch'>>;
/** A forward that waits, with the email that it is made of. */
type WaitingForwardSend = Pick<SendDocument, '_id' | 'sourceEmailId' | 'createdAt'>;
/** Both inclusive. */
export interface ForwardPeriod {
  ruleId: string;
  since: Date;
  until: Date;
}
/** The identity of one holder of a send. */
type Held = Pick<SendDocument, '_id' | 'epoch'>;

const after = { ...QUERY_LIMIT, returnDocument: 'after' } as const;

export function createSendStore({ sends }: Writes<'sends'>) {
  return {
    async find(workspaceId: string, id: string): Promise<SendDocument | null> {
      return withBuffers(await sends.findOne({ _id: id, workspaceId }, null, QUERY_LIMIT).lean<Stored>());
    },

    /** False where the operation has its send already. */
    insert(workspaceId: string, send: SendDocument): Promise<boolean> {
      return sends.create([{ ...send, workspaceId }]).then(() => true, falseIfDuplicate);
    },

    /** The next step of the holder. False when another process holds it, or when its state has changed. */
    async advance(
      workspaceId: string,
      { _id, epoch }: Held,
      from: readonly SendState[],
      change: SendChange,
    ): Promise<boolean> {
      const held = { _id, workspaceId, epoch, state: { $in: from } };
      return (await sends.updateOne(held, { $set: change }, QUERY_LIMIT)).matchedCount === 1;
    },

    /** Takes up a send that is in one of these states, with a lease until `nextAt`; null where it is not any more. */
    async takeUp(
      workspaceId: string,
      { _id, epoch }: Held,
      from: readonly SendState[],
      change: SendChange,
    ): Promise<SendDocument | null> {
      const seen = { _id, workspaceId, epoch, state: { $in: from } };
      const update = { $set: change, $inc: { epoch: 1 } };
      return withBuffers(await sends.findOneAndUpdate(seen, update, after).lean<Stored>());
    },

    /** Renews the lease of the holder. False when the send has another holder, or none. */
    async extend(workspaceId: string, { _id, epoch }: Held, leaseUntil: Date): Promise<boolean> {
      const held = { _id, workspaceId, epoch, state: { $in: UNDER_WAY } };
      return (await sends.updateOne(held, { $set: { nextAt: leaseUntil } }, QUERY_LIMIT)).matchedCount === 1;
    },

    ...waitingForwards(sends),
    ...repeats(sends),
    ...troubledSends(sends),
    ...dueSends(sends),
  };
}

function waitingForwards(sends: Writes<'sends'>['sends']) {
  return {
    /** The forwards of a rule that wait, the newest first. */
    waitingForwards(
      workspaceId: string,
      { ruleId, since, until }: ForwardPeriod,
      limit: number,
      budget: TimeBudget,
    ): Promise<WaitingForwardSend[]> {
      const made = { createdAt: { $gte: since, $lte: until }, kind: 'forward' as const, ruleId };
      return sends
        .find({ workspaceId, state: 'scheduled', ...made }, { sourceEmailId: 1, createdAt: 1 }, timeLimit(budget))
        .sort({ createdAt: -1 })
        .limit(limit)
        .lean<WaitingForwardSend[]>();
    },
  };
}

function repeats(sends: Writes<'sends'>['sends']) {
  return {
    /** Whether an operation has its send, and whether a rule of the workspace has sent a message of this id. */
    async knownOrForwarded(
      workspaceId: string,
      id: string,
      messageId: string,
    ): Promise<{ isKnown: boolean; wasForwarded: boolean }> {
      const either = [
        { workspaceId, _id: id },
        { workspaceId, messageId, kind: 'forward' as const },
      ];
      const found = await sends
        .find({ $or: either }, { messageId: 1, kind: 1 }, QUERY_LIMIT)
        .lean<Pick<SendDocument, '_id' | 'messageId' | 'kind'>[]>();
      return {
        isKnown: found.some(({ _id }) => _id === id),
        wasForwarded: found.some((send) => send.messageId === messageId && send.kind === 'forward'),
      };
    },
  };
}

function falseIfDuplicate(error: unknown): false {
  if (isAnyDuplicate(error)) return false;
  throw error;
}
