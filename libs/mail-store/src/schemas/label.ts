import type {
  AiLabelRuleDocument,
  AutoForwardLogDocument,
  AutoForwardRuleDocument,
  ExpectedVerdictPart,
  LabelDocument,
} from '../documents/label.ts';
import { nullable, part, required, schema } from './schema.ts';

export const labelSchema = schema<LabelDocument>({
  workspaceId: required(String),
  name: required(String),
  nameKey: required(String),
  color: required(String),
  isAiLabel: required(Boolean),
  createdAt: required(Date),
  deletedAt: nullable(Date),
});

export const aiLabelRuleSchema = schema<AiLabelRuleDocument>({
  workspaceId: required(String),
  labelId: required(String),
  condition: required(String),
  autoDraftEnabled: Boolean,
  autoReplyEnabled: Boolean,
  autoReplyConfidenceThreshold: Number,
  autoReplyDelayMinutes: Number,
  autoReplyNotifyOnSend: Boolean,
  hideFromInbox: Boolean,
  expectedVerdicts: [part<ExpectedVerdictPart>({ emailId: required(String), applies: Boolean })],
  compiledSince: Date,
  createdAt: required(Date),
  updatedAt: required(Date),
});

export const autoForwardRuleSchema = schema<AutoForwardRuleDocument>({
  workspaceId: required(String),
  conditionField: required(String),
  conditionValue: required(String),
  forwardTo: required(String),
  mode: required(String),
  isActive: Boolean,
  createdAt: required(Date),
  updatedAt: required(Date),
});

export const autoForwardLogSchema = schema<AutoForwardLogDocument>({
  workspaceId: required(String),
  ruleId: required(String),
  emailId: required(String),
  forwardTo: required(String),
  mode: required(String),
  status: required(String),
  reason: nullable(String),
  attempts: required(Number),
  createdAt: required(Date),
  expiresAt: required(Date),
});
