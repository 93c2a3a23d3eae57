/** A label that a rule put on an email which did not have it, with the cause. Its inverse takes the label off. */
export interface LabelEffectPart {
  id: string;
  labelId: string;
  ruleId: string;
  /** The version of the rule. Absent where its writer did not say it. */
  ruleUpdatedAt?: Date;
  model: string;
  /** 0 to 100. */
  confidence: number;
  reason: string;
  isBackfill: boolean;
  at: Date;
}

/** An effect that a person has undone. */
export interface UndonePart {
  /** Of the draft of a rule: the draft's own. */
  effectId: string;
  /** The person. */
  by: string;
  at: Date;
}
