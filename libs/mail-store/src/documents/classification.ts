import { type TypeOf, absentOr, part, presentText, required, schema } from '../schemas/schema.ts';

/** The model's verdict on one rule for one email. */
export interface VerdictPart extends TypeOf<typeof verdictPart> {}
const verdictPart = part({
  ruleId: required(String),
  labelId: required(String),
  applies: Boolean,
  /** 0 to 100. */
  confidence: Number,
  reason: presentText,
  /** The version of the rule. Absent where the caller did not say it. */
  ruleUpdatedAt: absentOr(Date),
});

/** The reasons for the labels of an email. Its id is the email's id. A backfill replaces the earlier verdicts. */
export interface ClassificationDocument extends TypeOf<typeof classificationSchema> {}
export const classificationSchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  verdicts: [verdictPart],
  /** Empty when no model was called, because there was no rule. */
  model: presentText,
  inputTokens: Number,
  outputTokens: Number,
  durationMs: Number,
  /** Absent where no rule prepares one. A repeat sends it, and does not ask the model again. */
  reply: absentOr(String),
  isBackfill: Boolean,
  createdAt: required(Date),
  /** Absent from documents that an earlier version wrote last. */
  expiresAt: absentOr(Date),
});
