import type { Effect, ExplainEmailResponse } from '@postroom/proto/postroom/v1/mailbox_read';
import type { EffectAnswer, WhyAnswer } from '../answers/answers.ts';

export function whyOf({ explanation, hiddenBy, effects }: ExplainEmailResponse): WhyAnswer {
  const said = {
    effects: effects.map(toJsonEffect),
    hiddenBy: hiddenBy.map(({ type, value }) => ({ type: type as WhyAnswer['hiddenBy'][number]['type'], value })),
  };
  if (!explanation) return { decided: null, ...said };
  const { model, isBackfill, decidedAt } = explanation;
  const rules = explanation.rules.map(({ ruleId, label, applies, confidence, reason }) => ({
    ruleId,
    label: label ?? null,
    applies,
    confidence,
    reason,
  }));
  return { decided: { rules, model, isBackfill, decidedAt }, ...said };
}

function toJsonEffect(effect: Effect): EffectAnswer {
  const { id, kind, ruleId, hides, model, reason, isBackfill, at } = effect;
  return {
    id,
    kind: kind as EffectAnswer['kind'],
    ruleId,
    ruleUpdatedAt: effect.ruleUpdatedAt ?? null,
    label: effect.label ?? null,
    hides,
    model,
    confidence: effect.confidence ?? null,
    reason,
    isBackfill,
    at,
    forwardTo: effect.forwardTo ?? null,
    undoneAt: effect.undoneAt ?? null,
    staysBecause: effect.staysBecause ?? null,
  };
}
