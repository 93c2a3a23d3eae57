import type { ConditionPatternDocument } from '../documents/pattern.ts';
import { nullable, required, schema } from './schema.ts';

export const conditionPatternSchema = schema<ConditionPatternDocument>({
  workspaceId: required(String),
  ruleId: required(String),
  version: required(String),
  mailboxId: required(String),
  scope: required(String),
  sender: nullable(String),
  domain: required(String),
  listId: nullable(String),
  subject: nullable(String),
  mailboxIn: nullable(String),
  hasAttachments: required(Boolean),
  isAuthenticated: required(Boolean),
  applied: [String],
  notApplied: [String],
  confidence: required(Number),
  answered: required(Number),
  unchecked: required(Number),
  createdAt: required(Date),
  updatedAt: required(Date),
  expiresAt: required(Date),
});
