import type { Writes } from '@postroom/mail-store/access';
import type { SessionDocument } from '@postroom/mail-store/documents/identity';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type SessionStore = ReturnType<typeof createSessionStore>;

/** A session belongs to a person, who can be a member of several workspaces. */
export function createSessionStore({ sessions }: Writes<'sessions'>) {
  return {
    insert: async (session: SessionDocument): Promise<void> => {
      await sessions.create(session);
    },

    find: (tokenHash: string, budget: TimeBudget): Promise<SessionDocument | null> =>
      sessions.findOne({ _id: tokenHash }, null, timeLimit(budget)).lean(),

    list: (personId: string, now: Date, budget: TimeBudget): Promise<SessionDocument[]> =>
      sessions
        .find({ personId, expiresAt: { $gt: now } }, null, timeLimit(budget))
        .sort({ createdAt: 1 })
        .lean(),

    findOpen: (personId: string, publicId: string, now: Date, budget: TimeBudget): Promise<SessionDocument | null> =>
      sessions.findOne({ personId, publicId, expiresAt: { $gt: now } }, null, timeLimit(budget)).lean(),

    prove: async (personId: string, publicId: string, proofId: string, budget: TimeBudget): Promise<void> => {
      await sessions.updateOne({ personId, publicId }, { $set: { proofId } }, timeLimit(budget));
    },

    /** A session that was ended meanwhile stays ended. */
    extend: async (
      tokenHash: string,
      times: Pick<SessionDocument, 'lastSeenAt' | 'expiresAt'>,
      budget: TimeBudget,
    ): Promise<void> => {
      await sessions.updateOne({ _id: tokenHash }, { $set: times }, timeLimit(budget));
    },

    end: async (personId: string, publicId: string, budget: TimeBudget): Promise<void> => {
      await sessions.deleteOne({ personId, publicId }, timeLimit(budget));
    },

    endOthers: async (personId: string, keptPublicId: string, budget: TimeBudget): Promise<void> => {
      await sessions.deleteMany({ personId, publicId: { $ne: keptPublicId } }, timeLimit(budget));
    },
  };
}
