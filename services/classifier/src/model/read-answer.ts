import { z } from 'zod';
import { jsonIn } from './json-in.ts';
import type { AskedRule, Verdict } from './model.ts';

const verdict = z.object({
  rule_id: z.string(),
  applies: z.boolean(),
  // Anything but a number within the range that was asked for says nothing of how sure the model is.
  confidence: z.number().min(0).max(100).catch(0),
  reason: z.string().catch(''),
});

const LONGEST_REASON = 500;
/** Ten times the rules that a workspace may have. They are counted before they are read: every fault in one is an object. */
const MOST_VERDICTS = 1_000;
const answer = z.object({ verdicts: z.array(z.unknown()).max(MOST_VERDICTS).pipe(z.array(verdict)) });

/**
 * The verdicts on the rules that were asked, whatever else the model said: an id that is none of theirs means nothing.
 * Undefined where it cannot be read, or speaks of none of them.
 */
export function readAnswer(content: string, rules: readonly AskedRule[]): Verdict[] | undefined {
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
