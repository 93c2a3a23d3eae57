import { z } from 'zod';
import type { AskedRule, Verdict } from './model.ts';

const answer = z.object({
  verdicts: z.array(
    z.object({
      rule_id: z.string(),
      applies: z.boolean(),
      confidence: z.coerce.number().catch(0),
      reason: z.string().catch(''),
    }),
  ),
});

const LONGEST_REASON = 500;
const FENCED = /^\s*```[a-z]*\s*\n?([\s\S]*?)\n?\s*```\s*$/i;

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
    const confidence = Math.round(Math.min(100, Math.max(0, verdict.confidence || 0)));
    return { ruleId, applies: verdict.applies, confidence, reason: verdict.reason.slice(0, LONGEST_REASON) };
  });
}

/** Models that know no format put their answer between fences, or a sentence before it. */
function jsonIn(content: string): unknown {
  const bare = FENCED.exec(content)?.[1] ?? content;
  const cut = bare.slice(Math.max(0, bare.indexOf('{')), bare.lastIndexOf('}') + 1);
  try {
    return JSON.parse(cut);
  } catch {
    return undefined;
  }
}
