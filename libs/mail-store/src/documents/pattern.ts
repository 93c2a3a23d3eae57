import type { MailboxIn } from './email.ts';
import { type TypeOf, nullable, required, schema, typed } from '../schemas/schema.ts';

/** The most specific first. Each leaves out more of an email than the one before it. */
type PatternScope = 'subject' | 'sender' | 'list' | 'domain';

/** A pattern of automatic emails of one mailbox, with the verdicts of the model on one rule. It answers while all are the same. */
export interface ConditionPatternDocument extends TypeOf<typeof conditionPatternSchema> {}
export const conditionPatternSchema = schema({
  workspaceId: required(String),
  ruleId: required(String),
  /** The condition and the time since when it is compiled: another condition learns anew. */
  version: required(String),
  mailboxId: required(String),
  scope: required(typed<PatternScope>(String)),
  /** The address of the sender; null where any address of the domain fits. */
  sender: nullable(String),
  domain: required(String),
  /** Null where emails of any list, or of none, fit. */
  listId: nullable(String),
  /** The subject without its numbers; null where any subject fits. */
  subject: nullable(String),
  mailboxIn: nullable(typed<MailboxIn>(String)),
  hasAttachments: required(Boolean),
  isAuthenticated: required(Boolean),
  /** The digests of different emails, subjects or senders to which the condition applies. A few, and no more. */
  applied: [String],
  /** The same of those to which it does not apply. */
  notApplied: [String],
  /** The lowest confidence of the verdicts. */
  confidence: required(Number),
  /** The emails that it answered. */
  answered: required(Number),
  /** Those since the last verdict of the model. */
  unchecked: required(Number),
  createdAt: required(Date),
  updatedAt: required(Date),
  expiresAt: required(Date),
});
