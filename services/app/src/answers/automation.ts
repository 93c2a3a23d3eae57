import type {
  AUTO_FORWARD_FIELDS,
  AUTO_FORWARD_MODES,
  AUTO_FORWARD_STATUSES,
  DELIVERY_STATUSES,
  INBOX_FILTER_TYPES,
  WEBHOOK_EVENTS,
  WEBHOOK_STATUSES,
} from '@postroom/contract/lists';
import type { DateTime, OneOf } from './types.ts';

export interface LabelRefAnswer {
  id: string;
  name: string;
  color: string;
  isAiLabel: boolean;
}

export interface LabelAnswer extends LabelRefAnswer {
  createdAt: DateTime;
}

export interface ViewAnswer {
  id: string;
  name: string;
  icon: string | null;
  /** The filter tree of the REST API; {} filters nothing. */
  filters: unknown;
  /** Empty means all mailboxes. */
  mailboxIds: string[];
  createdAt: DateTime;
}

export interface AiLabelRuleAnswer {
  id: string;
  label: LabelRefAnswer;
  condition: string;
  autoDraftEnabled: boolean;
  autoReplyEnabled: boolean;
  autoReplyConfidenceThreshold: number;
  autoReplyDelayMinutes: number;
  autoReplyNotifyOnSend: boolean;
  hideFromInbox: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface DecisionAnswer {
  ruleId: string;
  emailId: string;
  mailboxId: string;
  /** Null when the email no longer exists. */
  email: { subject: string; from: { email: string; name: string | null }; date: DateTime } | null;
  applies: boolean;
  /** 0 to 100. */
  confidence: number;
  reason: string;
  model: string;
  isBackfill: boolean;
  decidedAt: DateTime;
  /** The label that the rule put on last; null where it put none on. */
  effect: { id: string; at: DateTime; undoneAt: DateTime | null; staysBecause: string | null } | null;
}

/** Automatic emails of one mailbox with the same facts, of which the model has said the same. */
export interface ConditionPatternAnswer {
  id: string;
  mailboxId: string;
  /** Null where any address of the domain fits. */
  sender: string | null;
  domain: string;
  listId: string | null;
  /** Without its numbers; null where any subject fits. */
  subject: string | null;
  mailboxIn: 'to' | 'cc' | 'neither' | null;
  hasAttachments: boolean;
  isAuthenticated: boolean;
  applies: boolean;
  confidence: number;
  /** The emails that it answered. */
  answered: number;
  /** The model disagreed, and it answers no more. */
  isDropped: boolean;
  updatedAt: DateTime;
}

export interface CompiledConditionAnswer {
  /** Null where the model alone answers. */
  since: DateTime | null;
  patterns: ConditionPatternAnswer[];
}

/** The outcome of an undo of the effects of a rule, for some emails of the period. */
export interface PeriodUndoAnswer {
  undone: number;
  stays: { emailId: string; because: string }[];
  /** The next call goes on there; null at the end. */
  nextCursor: string | null;
}

export interface BackfillAnswer {
  id: string;
  mailboxId: string;
  state: 'queued' | 'running' | 'completed' | 'failed';
  done: number;
  total: number;
  cause: string | null;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface AutoForwardRuleAnswer {
  id: string;
  conditionField: OneOf<typeof AUTO_FORWARD_FIELDS>;
  conditionValue: string;
  forwardTo: string;
  mode: OneOf<typeof AUTO_FORWARD_MODES>;
  isActive: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface AutoForwardLogAnswer {
  id: string;
  ruleId: string;
  emailId: string;
  forwardTo: string;
  mode: OneOf<typeof AUTO_FORWARD_MODES>;
  status: OneOf<typeof AUTO_FORWARD_STATUSES>;
  reason: string | null;
  attempts: number;
  createdAt: DateTime;
}

export interface InboxFilterAnswer {
  id: string;
  type: OneOf<typeof INBOX_FILTER_TYPES>;
  value: string;
  label: LabelRefAnswer | null;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface WebhookAnswer {
  id: string;
  url: string;
  events: OneOf<typeof WEBHOOK_EVENTS>[];
  description: string | null;
  status: OneOf<typeof WEBHOOK_STATUSES>;
  failingSince: DateTime | null;
  disabledAt: DateTime | null;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface DeliveryAnswer {
  id: string;
  changeId: string;
  event: OneOf<typeof WEBHOOK_EVENTS>;
  status: OneOf<typeof DELIVERY_STATUSES>;
  attempts: { at: DateTime; status: number | null; durationMs: number; error: string | null }[];
  nextAttemptAt: DateTime | null;
  createdAt: DateTime;
}
