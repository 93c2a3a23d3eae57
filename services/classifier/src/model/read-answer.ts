import { z } from 'zod';
import { jsonIn } from './json-in.ts';
import type { AskedRule, Verdict } from './model.ts';

const verdict = z.object({
  rule_id: z.string(),
  applies: z.boolean(),
  // Any value but a number within the range is no confidence.
  confidence: z.number().min(0).max(100).catch(0),
  reason: z.string().catch(''),
});

const LONGEST_REASON = 500;
/** Ten times the rules that a workspace may have. They are counted before they are read: every fault in one is an object. */
const MOST_VERDICTS = 1_000;
const answer = z.object({ verdicts: z.array(z.unknown()).max(MOST_VERDICTS).pipe(z.array(verdict)) });

/**
 * The verdicts for the given rules. Unknown rule ids are ignored. Undefined when the answer cannot be read, or names none
 * of the rules.
 */
export function readVerdicts(content: string, rules: readonly AskedRule[]): Verdict[] | undefined {
  const parsed = answer.safeParse(jsonIn(content));
  if (!parsed.success) return undefined;
  const said = new Map(parsed.data.verdicts.toReversed().map((verdict) => [verdict.rule_id, verdict]));
  if (!rules.some(({ ruleId }) => said.has(ruleId))) return undefined;
  return rules.map(({ ruleId }) => {
    const verdict = said.get(ruleId);
    if (!verdict) return { ruleId, applies: false, confidence: 0, reason: 'not answered' };
    const confidence = Math.round(verdict.confidence);
    return { ruleId, applies: verdict.applies, confidence, reason: verdict.reason.slice(0, LONGEST_REASON) };
  });
}
