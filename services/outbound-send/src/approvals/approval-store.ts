import type { Writes } from '@postroom/mail-store/access';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type ApprovalStore = ReturnType<typeof createApprovalStore>;
/** A send without its bytes. */
export type WaitingSend = Omit<SendDocument, 'wire' | 'kept'>;

const WITHOUT_BYTES = { wire: 0, kept: 0 } as const;
/** A list of the longest bodies would be larger than a message between services may be. */
const WITHOUT_BODIES = { ...WITHOUT_BYTES, 'approval.shown.html': 0, 'approval.shown.text': 0 } as const;

/** The sends that wait for a person, or did. */
export function createApprovalStore({ sends }: Writes<'sends'>) {
  const whatWaits = (workspaceId: string, now: Date) =>
    ({ workspaceId, state: 'awaiting_approval', 'approval.expiresAt': { $gt: now } }) as const;
  return {
    /** The newest, without the bodies of their messages. */
    waiting(workspaceId: string, now: Date, limit: number, budget: TimeBudget): Promise<WaitingSend[]> {
      return sends
        .find(whatWaits(workspaceId, now), WITHOUT_BODIES, timeLimit(budget))
        .sort({ createdAt: -1 })
        .limit(limit)
        .lean<WaitingSend[]>();
    },

    /** The clients behind the same sends. */
    waitingAgents(workspaceId: string, now: Date, limit: number, budget: TimeBudget) {
      return sends
        .find(whatWaits(workspaceId, now), { _id: 0, 'agent.personId': 1 }, timeLimit(budget))
        .sort({ createdAt: -1 })
        .limit(limit)
        .lean<Pick<WaitingSend, 'agent'>[]>();
    },

    find(workspaceId: string, sendId: string, budget: TimeBudget): Promise<WaitingSend | null> {
      return sends.findOne({ _id: sendId, workspaceId }, WITHOUT_BYTES, timeLimit(budget)).lean<WaitingSend | null>();
    },

    /** True for the one call that decides, as long as it waits for this very approval. */
    async decide(
      workspaceId: string,
      { _id, epoch, approval }: WaitingSend,
      change: Partial<SendDocument>,
      budget: TimeBudget,
    ): Promise<boolean> {
      const where = { _id, workspaceId, epoch, state: 'awaiting_approval', 'approval.id': approval?.id } as const;
      return (await sends.updateOne(where, { $set: change }, timeLimit(budget))).matchedCount === 1;
    },
  };
}
