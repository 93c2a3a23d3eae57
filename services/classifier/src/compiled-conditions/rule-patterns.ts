import type { ConditionPatternDocument } from '@postroom/mail-store/documents/pattern';
import type { Verdict } from '../model/model.ts';
import { applies, growth } from './learner.ts';
import type { LearnedVerdict, PatternStore } from './pattern-store.ts';
import { type EmailPattern, patternIdOf, versionOf } from './patterns.ts';

export interface CompiledRule {
  _id: string;
  condition: string;
  compiledSince: Date;
  autoDraftEnabled: boolean;
}

/** A pattern that an email has under one rule, with what is stored of it. */
export interface RulePattern extends EmailPattern {
  id: string;
  ruleId: string;
  version: string;
  stored: ConditionPatternDocument | undefined;
}

export async function rulePatternsOf(
  store: Pick<PatternStore, 'find'>,
  workspaceId: string,
  rules: readonly CompiledRule[],
  patterns: readonly EmailPattern[],
): Promise<RulePattern[]> {
  const named = rules.flatMap((rule) => {
    const [ruleId, version] = [rule._id, versionOf(rule)];
    return patterns.map((pattern) => {
      return { ...pattern, ruleId, version, id: patternIdOf(workspaceId, ruleId, version, pattern.facts) };
    });
  });
  const ids = named.map(({ id }) => id);
  const byId = new Map((await store.find(workspaceId, ids)).map((stored) => [stored._id, stored]));
  return named.map((pattern) => ({ ...pattern, stored: byId.get(pattern.id) }));
}

/** A verdict without confidence is none: the answer of the model could not be read. */
export function learnedOf(pattern: RulePattern, verdicts: readonly Verdict[]): LearnedVerdict | undefined {
  const { id, ruleId, version, facts, witness, stored } = pattern;
  const verdict = verdicts.find((one) => one.ruleId === ruleId);
  if (!verdict || verdict.confidence === 0) return undefined;
  const grown = growth(stored, verdict);
  if (!grown) return undefined;
  const { list, grows } = grown;
  const said = { list, witness: grows ? witness : undefined, confidence: verdict.confidence };
  return { id, ruleId, version, facts, ...said, isNew: stored === undefined };
}

export function toVerdict(pattern: ConditionPatternDocument): Verdict {
  const { ruleId, scope, sender, domain, listId, confidence } = pattern;
  const from = { subject: `${sender} with this subject`, sender, list: listId, domain }[scope];
  const verdict = applies(pattern) ? 'applied' : 'did not apply';
  const reason = `Answered without the model: the rule ${verdict} to all earlier automatic mail from ${from}.`;
  return { ruleId, applies: applies(pattern), confidence, reason };
}
