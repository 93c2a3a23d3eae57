import type { AutoForwardField, AutoForwardMode, AutoForwardStatus } from '@postroom/contract/lists';

/** A label of a workspace, by a person or of an AI label rule. */
export interface LabelDocument {
  _id: string;
  workspaceId: string;
  name: string;
  /** The name folded: unique among the living labels of the workspace; a forgotten label gives its name free. */
  nameKey: string;
  color: string;
  isAiLabel: boolean;
  createdAt: Date;
  /** Deleted for every reader, and still being taken off emails and filters. */
  deletedAt: Date | null;
}

/** The verdict that a person expects of a rule on one email. */
export interface ExpectedVerdictPart {
  emailId: string;
  applies: boolean;
}

/** A condition in plain language, with the effects of its label. */
export interface AiLabelRuleDocument {
  _id: string;
  workspaceId: string;
  labelId: string;
  condition: string;
  autoDraftEnabled: boolean;
  autoReplyEnabled: boolean;
  autoReplyConfidenceThreshold: number;
  autoReplyDelayMinutes: number;
  autoReplyNotifyOnSend: boolean;
  hideFromInbox: boolean;
  /** The emails that a change of the rule is tested on. Absent from documents of an earlier version. */
  expectedVerdicts?: ExpectedVerdictPart[];
  /** Since when patterns answer for the condition. Absent where the model alone does. */
  compiledSince?: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** A condition and an address to which each matching email is forwarded once. */
export interface AutoForwardRuleDocument {
  _id: string;
  workspaceId: string;
  conditionField: AutoForwardField;
  conditionValue: string;
  forwardTo: string;
  mode: AutoForwardMode;
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** The outcome of a forward rule for one email. */
export interface AutoForwardLogDocument {
  _id: string;
  workspaceId: string;
  ruleId: string;
  emailId: string;
  forwardTo: string;
  mode: AutoForwardMode;
  status: AutoForwardStatus;
  reason: string | null;
  attempts: number;
  createdAt: Date;
  /** Cleaned up after this. */
  expiresAt: Date;
}
