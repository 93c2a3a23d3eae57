import type { ExplainEmailResponse } from '@postroom/proto/postroom/v1/mailbox_read';
import type { WhyAnswer } from '../answers/answers.ts';

export function whyOf({ explanation, hiddenBy }: ExplainEmailResponse): WhyAnswer {
  const causes = hiddenBy.map(({ type, value }) => ({ type: type as WhyAnswer['hiddenBy'][number]['type'], value }));
  if (!explanation) return { decided: null, hiddenBy: causes };
  const { model, isBackfill, decidedAt } = explanation;
  const rules = explanation.rules.map(({ ruleId, label, applies, confidence, reason }) => ({
    ruleId,
    label: label ?? null,
    applies,
    confidence,
    reason,
  }));
  return { decided: { rules, model, isBackfill, decidedAt }, hiddenBy: causes };
}
