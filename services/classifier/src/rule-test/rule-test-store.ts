import type { Reads } from '@postroom/mail-store/access';
import type { ClassificationDocument, VerdictPart } from '@postroom/mail-store/documents/classification';
import type { PastAnswers } from '../model/model.ts';
import { type TimeBudget, timeLimit } from '@postroom/mail-store/time-limit';

/** A stored decision of a rule about an email. */
interface StoredDecision {
  verdict: VerdictPart;
  decidedAt: Date;
}

export type RuleTestStore = ReturnType<typeof createRuleTestStore>;

const DAY_MS = 86_400_000;
const PAST_DAYS = 7;
const dayOf = (now: Date, daysAgo = 0) => new Date((Math.floor(now.getTime() / DAY_MS) - daysAgo) * DAY_MS);

export function createRuleTestStore({ classifications, modelCounts }: Reads<'classifications' | 'modelCounts'>) {
  return {
    /** By email. A classification has the id of its email. */
    async decisions(
      workspaceId: string,
      ruleId: string,
      emailIds: readonly string[],
      budget: TimeBudget,
    ): Promise<Map<string, StoredDecision>> {
      const found = await classifications
        .find({ workspaceId, _id: { $in: [...emailIds] } }, { verdicts: 1, createdAt: 1 }, timeLimit(budget))
        .lean<Pick<ClassificationDocument, '_id' | 'verdicts' | 'createdAt'>[]>();
      const decided = found.flatMap(({ _id, verdicts, createdAt }) => {
        const verdict = verdicts.find((one) => one.ruleId === ruleId);
        return verdict ? [[_id, { verdict, decidedAt: createdAt }] as const] : [];
      });
      return new Map(decided);
    },

    /** The emails that tests of this day have asked about. */
    async testedOn(workspaceId: string, now: Date, budget: TimeBudget): Promise<number> {
      const counts = await modelCounts
        .find({ workspaceId, day: dayOf(now), subject: workspaceId }, { counts: 1 }, timeLimit(budget))
        .lean<{ counts: Record<string, number> }[]>();
      return counts.reduce((sum, { counts: { tested = 0 } }) => sum + tested, 0);
    },

    /** The judgements of the last days, of all processes. */
    async pastAnswers(workspaceId: string, now: Date, budget: TimeBudget): Promise<PastAnswers> {
      const found = await modelCounts
        .find(
          { workspaceId, day: { $gte: dayOf(now, PAST_DAYS) }, subject: workspaceId },
          { counts: 1 },
          timeLimit(budget),
        )
        .lean<{ counts: Record<string, number> }[]>();
      const sum = (name: string) => found.reduce((total, { counts }) => total + (counts[name] ?? 0), 0);
      return {
        count: sum('judged'),
        rough: { inputTokens: sum('roughInputTokens'), outputTokens: sum('roughOutputTokens') },
        reported: { inputTokens: sum('judgedInputTokens'), outputTokens: sum('judgedOutputTokens') },
      };
    },
  };
}
