import type { MailboxIn } from './email.ts';

/** The most specific first. Each leaves out more of an email than the one before it. */
export type PatternScope = 'subject' | 'sender' | 'list' | 'domain';

/** A pattern of automatic emails of one mailbox, with the verdicts of the model on one rule. It answers while all are the same. */
export interface ConditionPatternDocument {
  _id: string;
  workspaceId: string;
  ruleId: string;
  /** The condition and the time since when it is compiled: another condition learns anew. */
  version: string;
  mailboxId: string;
  scope: PatternScope;
  /** The address of the sender; null where any address of the domain fits. */
  sender: string | null;
  domain: string;
  /** Null where emails of any list, or of none, fit. */
  listId: string | null;
  /** The subject without its numbers; null where any subject fits. */
  subject: string | null;
  mailboxIn: MailboxIn | null;
  hasAttachments: boolean;
  isAuthenticated: boolean;
  /** The digests of different emails, subjects or senders to which the condition applies. A few, and no more. */
  applied: string[];
  /** The same of those to which it does not apply. */
  notApplied: string[];
  /** The lowest confidence of the verdicts. */
  confidence: number;
  /** The emails that it answered. */
  answered: number;
  /** Those since the last verdict of the model. */
  unchecked: number;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}
