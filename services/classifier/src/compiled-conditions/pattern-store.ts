import type { Reads, Writes } from '@postroom/mail-store/access';
import type { ConditionPatternDocument } from '@postroom/mail-store/documents/pattern';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { PATTERN_KEPT_MS } from '@postroom/mail-store/kept-for';
import { QUERY_LIMIT, type TimeBudget, timeLimit } from '@postroom/mail-store/time-limit';
import { LEARNED_FROM } from './learner.ts';
import type { PatternFacts } from './patterns.ts';

/** A verdict of the model on an email of a pattern. */
export interface LearnedVerdict {
  id: string;
  ruleId: string;
  version: string;
  facts: PatternFacts;
  list: 'applied' | 'notApplied';
  /** Undefined where the list is long enough. */
  witness: string | undefined;
  confidence: number;
  /** Nothing is stored of the pattern yet. */
  isNew: boolean;
}

/** More patterns of one rule are not stored: those that were not used for longest make room. */
export const MOST_PATTERNS = 2_000;

/** At once. More are left only where many processes have stored new ones at the same time. */
const MOST_REMOVED = 200;

export interface PatternStore {
  find(workspaceId: string, ids: readonly string[]): Promise<ConditionPatternDocument[]>;
  /** Counts an email that the pattern answers. Null where the pattern was dropped meanwhile. */
  claim(
    workspaceId: string,
    pattern: Pick<ConditionPatternDocument, '_id' | 'applied'>,
    now: Date,
  ): Promise<ConditionPatternDocument | null>;
  /** Sets that only grow: neither the order of calls nor a repeat matters. */
  learn(workspaceId: string, verdicts: readonly LearnedVerdict[], now: Date): Promise<void>;
}

export function createPatternStore({ conditionPatterns }: Writes<'conditionPatterns'>, most = MOST_PATTERNS) {
  return {
    find: (workspaceId, ids) =>
      conditionPatterns
        .find({ workspaceId, _id: { $in: [...ids] } }, null, QUERY_LIMIT)
        .lean<ConditionPatternDocument[]>(),

    claim(workspaceId, { _id, applied }, now) {
      const same = { [`${applied.length > 0 ? 'notApplied' : 'applied'}.0`]: { $exists: false } };
      return conditionPatterns
        .findOneAndUpdate(
          { _id, workspaceId, ...same },
          { $inc: { answered: 1, unchecked: 1 }, $set: kept(now) },
          { ...QUERY_LIMIT, returnDocument: 'after' },
        )
        .lean<ConditionPatternDocument | null>();
    },

    async learn(workspaceId, verdicts, now) {
      const surplus = await surplusOf(conditionPatterns, workspaceId, verdicts, most);
      const removals = surplus.map((_id) => ({ deleteOne: { filter: { _id, workspaceId } } }));
      const writes = [...removals, ...verdicts.map((verdict) => toWrite(workspaceId, verdict, now))];
      const write = () => conditionPatterns.bulkWrite(writes, { ordered: false, ...QUERY_LIMIT });
      await write().catch((error: unknown) => {
        // Two first verdicts at the same time: the second one finds the pattern of the first now.
        if (!isAnyDuplicate(error)) throw error;
        return write();
      });
    },

    /** Those that answer or have answered, the busiest first. */
    async ofRule(
      workspaceId: string,
      { ruleId, version }: Pick<ConditionPatternDocument, 'ruleId' | 'version'>,
      limit: number,
      budget: TimeBudget,
    ): Promise<ConditionPatternDocument[]> {
      const last = LEARNED_FROM - 1;
      const isShown = {
        $or: [
          { answered: { $gt: 0 } },
          { [`applied.${last}`]: { $exists: true }, 'notApplied.0': { $exists: false } },
          { [`notApplied.${last}`]: { $exists: true }, 'applied.0': { $exists: false } },
        ],
      };
      return conditionPatterns
        .find({ workspaceId, ruleId, version, ...isShown } as object, null, timeLimit(budget))
        .sort({ answered: -1, updatedAt: -1, _id: 1 })
        .limit(limit)
        .lean<ConditionPatternDocument[]>();
    },
  } satisfies PatternStore & Record<string, unknown>;
}

/** The patterns that make room for new ones. They are of any condition that the rule has had. */
async function surplusOf(
  conditionPatterns: Reads<'conditionPatterns'>['conditionPatterns'],
  workspaceId: string,
  verdicts: readonly LearnedVerdict[],
  most: number,
): Promise<string[]> {
  const ruleIds = new Set(verdicts.filter(({ isNew }) => isNew).map(({ ruleId }) => ruleId));
  const surplus = [...ruleIds].map(async (ruleId) => {
    const own = verdicts.filter((one) => one.ruleId === ruleId).map(({ id }) => id);
    const others = await conditionPatterns
      .find({ workspaceId, ruleId, _id: { $nin: own } }, { _id: 1 }, QUERY_LIMIT)
      .sort({ updatedAt: -1 })
      .skip(Math.max(0, most - own.length))
      .limit(MOST_REMOVED)
      .lean<Pick<ConditionPatternDocument, '_id'>[]>();
    return others.map(({ _id }) => _id);
  });
  return (await Promise.all(surplus)).flat();
}

function toWrite(
  workspaceId: string,
  { id, ruleId, version, facts, list, witness, confidence }: LearnedVerdict,
  now: Date,
) {
  const other = list === 'applied' ? 'notApplied' : 'applied';
  const first = { ...facts, ruleId, version, answered: 0, createdAt: now, [other]: [] };
  return {
    updateOne: {
      filter: { _id: id, workspaceId },
      update: {
        $setOnInsert: first,
        ...(witness !== undefined && { $addToSet: { [list]: witness } }),
        $min: { confidence },
        $set: { unchecked: 0, ...kept(now) },
      },
      upsert: true,
    },
  };
}

const kept = (now: Date) => ({ updatedAt: now, expiresAt: new Date(now.getTime() + PATTERN_KEPT_MS) });
