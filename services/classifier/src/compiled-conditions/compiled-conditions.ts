import { ApiError } from '@postroom/errors/api-error';
import type { ConditionPatternDocument } from '@postroom/mail-store/documents/pattern';
import type { ClassifierServiceDefinition } from '@postroom/proto/postroom/v1/classifier';
import type { Handlers } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import type { Verdict } from '../model/model.ts';
import { answering, applies, isCheckDue } from './learner.ts';
import { toMessagePattern } from './pattern-message.ts';
import type { createPatternStore, PatternStore } from './pattern-store.ts';
import { patternsOf, type MatchedEmail, versionOf } from './patterns.ts';
import { type CompiledRule, learnedOf, type RulePattern, rulePatternsOf, toVerdict } from './rule-patterns.ts';

type RuleWithPatterns = Omit<CompiledRule, 'compiledSince'> & { compiledSince?: Date | undefined };

/** The patterns of one email under the rules of its workspace. */
interface KnownPatterns {
  /** The verdicts of patterns on all rules; undefined where the model has to be asked. */
  verdicts: Verdict[] | undefined;
  /** Stores the verdicts of the model. */
  learn(verdicts: readonly Verdict[]): Promise<void>;
}

export interface CompiledConditions {
  of(workspaceId: string, email: MatchedEmail, rules: readonly RuleWithPatterns[]): Promise<KnownPatterns>;
}

const UNKNOWN: KnownPatterns = { verdicts: undefined, learn: async () => undefined };

/**
 * Answers for conditions whose verdicts have been the same for a pattern. One call of the model asks about all rules, so an
 * email is answered without a call only where every rule has an answer. Nothing is read where no rule is compiled.
 */
export function createCompiledConditions(store: PatternStore, clock: Pick<Clock, 'date'>): CompiledConditions {
  return {
    async of(workspaceId, email, rules) {
      const compiled = rules.filter((rule): rule is CompiledRule => rule.compiledSince !== undefined);
      const patterns = compiled.length > 0 ? patternsOf(email) : [];
      if (patterns.length === 0) return UNKNOWN;
      const own = await rulePatternsOf(store, workspaceId, compiled, patterns);
      const known = compiled.flatMap((rule) => answerOf(rule, own) ?? []);
      return {
        verdicts: known.length === rules.length ? await claim(store, workspaceId, known, clock.date()) : undefined,
        learn: async (verdicts) => {
          const learned = own.flatMap((pattern) => learnedOf(pattern, verdicts) ?? []);
          if (learned.length > 0) await store.learn(workspaceId, learned, clock.date());
        },
      };
    },
  };
}

/** A pattern prepares no reply: that a condition applies which does so is left to the model. */
function answerOf(rule: CompiledRule, own: readonly RulePattern[]): ConditionPatternDocument | undefined {
  const pattern = answering(own.filter(({ ruleId }) => ruleId === rule._id).map(({ stored }) => stored));
  if (!pattern || (applies(pattern) && rule.autoDraftEnabled)) return undefined;
  return isCheckDue({ unchecked: pattern.unchecked + 1 }) ? undefined : pattern;
}

/** The database counts each claim, so that emails at the same time do not pass a check that is due. */
async function claim(
  store: PatternStore,
  workspaceId: string,
  patterns: readonly ConditionPatternDocument[],
  now: Date,
): Promise<Verdict[] | undefined> {
  const claimed = await Promise.all(patterns.map((pattern) => store.claim(workspaceId, pattern, now)));
  const answers = claimed.flatMap((pattern) => (pattern && !isCheckDue(pattern) ? toVerdict(pattern) : []));
  return answers.length === patterns.length ? answers : undefined;
}

export interface PatternDeps {
  rulesOf: (workspaceId: string) => Promise<readonly RuleWithPatterns[]>;
  patterns: Pick<ReturnType<typeof createPatternStore>, 'ofRule'>;
}

const MOST_SHOWN = 100;

export function patternHandlers({ rulesOf, patterns }: PatternDeps) {
  return {
    getCompiledCondition: async ({ ruleId }, call) => {
      const rule = (await rulesOf(call.workspaceId)).find(({ _id }) => _id === ruleId);
      if (!rule) throw new ApiError('RULE_NOT_FOUND');
      const { condition, compiledSince } = rule;
      if (!compiledSince) return { patterns: [] };
      const which = { ruleId, version: versionOf({ condition, compiledSince }) };
      const found = await patterns.ofRule(call.workspaceId, which, MOST_SHOWN, call);
      return { since: compiledSince.toISOString(), patterns: found.map(toMessagePattern) };
    },
  } satisfies Partial<Handlers<ClassifierServiceDefinition>>;
}
