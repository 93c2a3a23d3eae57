import type { Reads, Writes } from '@postroom/mail-store/access';
import type { AgentStopDocument } from '@postroom/mail-store/documents/send';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { findMemberRole } from '@postroom/mail-store/member-role';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type AgentStore = ReturnType<typeof createAgentStore>;

/** The bound on one agent and day. */
interface DailyCount {
  agentId: string;
  /** The start of the day in UTC, as `YYYY-MM-DD`. */
  day: string;
  most: number;
  expiresAt: Date;
}

/** The limits on the agents of a workspace, and who may change them. */
export function createAgentStore({
  agentSendCounts,
  agentStops,
  grants,
  workspaceMembers,
}: Writes<'agentSendCounts' | 'agentStops'> & Reads<'grants' | 'workspaceMembers'>) {
  return {
    ...countsIn(agentSendCounts),

    stop(workspaceId: string, budget: TimeBudget): Promise<AgentStopDocument | null> {
      return agentStops.findOne({ _id: workspaceId, workspaceId }, null, timeLimit(budget)).lean();
    },

    /** Keeps the earlier stop where there is one. */
    async beginStop(workspaceId: string, stop: Omit<AgentStopDocument, '_id' | 'workspaceId'>, budget: TimeBudget) {
      const where = { _id: workspaceId, workspaceId };
      await agentStops.updateOne(where, { $setOnInsert: stop }, { upsert: true, ...timeLimit(budget) });
    },

    async endStop(workspaceId: string, budget: TimeBudget): Promise<void> {
      await agentStops.deleteOne({ _id: workspaceId, workspaceId }, timeLimit(budget));
    },

    /** Whether a grant stands: it was not revoked, has not expired, and its person has been a member since. */
    async grantStands(workspaceId: string, grantId: string, now: Date, budget: TimeBudget): Promise<boolean> {
      const inForce = { _id: grantId, workspaceId, expiresAt: { $gt: now } };
      const grant = await grants.findOne(inForce, { personId: 1, memberSince: 1 }, timeLimit(budget)).lean();
      if (!grant) return false;
      const member = { personId: grant.personId, joinedAt: grant.memberSince };
      const isMember = { _id: workspaceId, workspaceId, members: { $elemMatch: member } };
      return (await workspaceMembers.findOne(isMember, { _id: 1 }, timeLimit(budget)).lean()) !== null;
    },

    role: (workspaceId: string, personId: string, budget: TimeBudget) =>
      findMemberRole({ workspaceMembers }, workspaceId, personId, budget),
  };
}

const countIdOf = (workspaceId: string, agentId: string, day: string): string => `${workspaceId} ${agentId} ${day}`;

/** The sends of each agent and day. */
function countsIn(agentSendCounts: Writes<'agentSendCounts'>['agentSendCounts']) {
  return {
    /** Counts a send once, however often it is asked for; false where it would be one too many. */
    async count(
      workspaceId: string,
      sendId: string,
      { agentId, day, most, expiresAt }: DailyCount,
      budget: TimeBudget,
    ): Promise<boolean> {
      const _id = countIdOf(workspaceId, agentId, day);
      const notFull = { _id, workspaceId, [`sendIds.${most - 1}`]: { $exists: false } };
      const add = { $addToSet: { sendIds: sendId } };
      try {
        const orBegin = { ...add, $setOnInsert: { expiresAt } };
        await agentSendCounts.updateOne(notFull, orBegin, { upsert: true, ...timeLimit(budget) });
        return true;
      } catch (error) {
        if (!isAnyDuplicate(error)) throw error;
      }
      // The upsert met a document: that of a full day, or one that another call has begun at the same moment.
      if ((await agentSendCounts.updateOne(notFull, add, timeLimit(budget))).matchedCount === 1) return true;
      const counted = { _id, workspaceId, sendIds: sendId };
      return (await agentSendCounts.findOne(counted, { _id: 1 }, timeLimit(budget)).lean()) !== null;
    },

    /** The sends of each agent on that day, in the order of the agents. */
    async countsOf(
      workspaceId: string,
      agentIds: readonly string[],
      day: string,
      budget: TimeBudget,
    ): Promise<number[]> {
      if (agentIds.length === 0) return [];
      const ids = agentIds.map((agentId) => countIdOf(workspaceId, agentId, day));
      const found = await agentSendCounts.find({ _id: { $in: ids }, workspaceId }, null, timeLimit(budget)).lean();
      const sends = new Map(found.map(({ _id, sendIds }) => [_id, sendIds.length]));
      return ids.map((id) => sends.get(id) ?? 0);
    },
  };
}
