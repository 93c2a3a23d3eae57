import { type TypeOf, absentOr, part, presentText, required } from '../schemas/schema.ts';

/** A label that a rule put on an email which did not have it, with the cause. Its inverse takes the label off. */
export interface LabelEffectPart extends TypeOf<typeof labelEffectPart> {}
export const labelEffectPart = part({
  id: required(String),
  labelId: required(String),
  ruleId: required(String),
  /** The version of the rule. Absent where its writer did not say it. */
  ruleUpdatedAt: absentOr(Date),
  model: presentText,
  /** 0 to 100. */
  confidence: required(Number),
  reason: presentText,
  isBackfill: Boolean,
  at: required(Date),
});

/** An effect that a person has undone. */
export interface UndonePart extends TypeOf<typeof undonePart> {}
export const undonePart = part({
  /** Of the draft of a rule: the draft's own. */
  effectId: required(String),
  /** The person. */
  by: required(String),
  at: required(Date),
});
