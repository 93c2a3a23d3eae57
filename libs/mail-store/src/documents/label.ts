import type { AutoForwardField, AutoForwardMode, AutoForwardStatus } from '@postroom/contract/lists';
import { type TypeOf, nullable, absentOr, part, required, schema, typed } from '../schemas/schema.ts';

/** A label of a workspace, by a person or of an AI label rule. */
export interface LabelDocument extends TypeOf<typeof labelSchema> {}
export const labelSchema = schema({
  workspaceId: required(String),
  name: required(String),
  /** The name folded: unique among the living labels of the workspace; a forgotten label gives its name free. */
  nameKey: required(String),
  color: required(String),
  isAiLabel: required(Boolean),
  createdAt: required(Date),
  /** Deleted for every reader, and still being taken off emails and filters. */
  deletedAt: nullable(Date),
});

/** The verdict that a person expects of a rule on one email. */
export interface ExpectedVerdictPart extends TypeOf<typeof expectedVerdictPart> {}
const expectedVerdictPart = part({ emailId: required(String), applies: Boolean });

/** A condition in plain language, with the effects of its label. */
export interface AiLabelRuleDocument extends TypeOf<typeof aiLabelRuleSchema> {}
export const aiLabelRuleSchema = schema({
  workspaceId: required(String),
  labelId: required(String),
  condition: required(String),
  autoDraftEnabled: Boolean,
  autoReplyEnabled: Boolean,
  autoReplyConfidenceThreshold: Number,
  autoReplyDelayMinutes: Number,
  autoReplyNotifyOnSend: Boolean,
  hideFromInbox: Boolean,
  /** The emails that a change of the rule is tested on. */
  expectedVerdicts: [expectedVerdictPart],
  /** Since when patterns answer for the condition. Absent where the model alone does. */
  compiledSince: absentOr(Date),
  createdAt: required(Date),
  updatedAt: required(Date),
});

/** A condition and an address to which each matching email is forwarded once. */
export interface AutoForwardRuleDocument extends TypeOf<typeof autoForwardRuleSchema> {}
export const autoForwardRuleSchema = schema({
  workspaceId: required(String),
  conditionField: required(typed<AutoForwardField>(String)),
  conditionValue: required(String),
  forwardTo: required(String),
  mode: required(typed<AutoForwardMode>(String)),
  isActive: Boolean,
  createdAt: required(Date),
  updatedAt: required(Date),
});

/** The outcome of a forward rule for one email. */
export interface AutoForwardLogDocument extends TypeOf<typeof autoForwardLogSchema> {}
export const autoForwardLogSchema = schema({
  workspaceId: required(String),
  ruleId: required(String),
  emailId: required(String),
  forwardTo: required(String),
  mode: required(typed<AutoForwardMode>(String)),
  status: required(typed<AutoForwardStatus>(String)),
  reason: nullable(String),
  attempts: required(Number),
  createdAt: required(Date),
  /** Cleaned up after this. */
  expiresAt: required(Date),
});
