import type { FOLDER_TYPES } from '@postroom/contract/lists';
import type { LabelRefAnswer } from './automation.ts';
import type { DateTime, OneOf } from './types.ts';

export interface PersonInMail {
  email: string;
  name: string | null;
}

/** An email in a list, without what no list shows. */
export interface MailItemAnswer {
  id: string;
  mailboxId: string;
  from: PersonInMail;
  /** The first recipients, for mail that was sent from here. */
  to: PersonInMail[];
  subject: string;
  snippet: string;
  date: DateTime;
  isRead: boolean;
  isStarred: boolean;
  isDraft: boolean;
  attachmentCount: number;
  tags: LabelRefAnswer[];
}

/** An email of a thread, with its recipients and the names of its attachments. */
export interface ThreadEmailAnswer extends MailItemAnswer {
  cc: PersonInMail[];
  attachments: { filename: string; size: number; mimeType: string }[];
}

interface RuleDecisionAnswer {
  ruleId: string;
  /** Null when the label no longer exists. */
  label: LabelRefAnswer | null;
  applies: boolean;
  /** 0 to 100. */
  confidence: number;
  reason: string;
}

/** The reasons for the labels of an email, and for where it stands. */
export interface EffectAnswer {
  id: string;
  kind: 'label' | 'draft' | 'reply' | 'forward';
  ruleId: string;
  /** The version of the rule; null where it is not known. */
  ruleUpdatedAt: DateTime | null;
  /** Of a label that still exists. */
  label: LabelRefAnswer | null;
  /** The label hides emails from the inbox now. */
  hides: boolean;
  /** Empty for a forward, which no model decides. */
  model: string;
  confidence: number | null;
  reason: string;
  isBackfill: boolean;
  at: DateTime;
  forwardTo: string | null;
  undoneAt: DateTime | null;
  /** Why it cannot be undone; null where it can be, and where it was. */
  staysBecause: string | null;
}

/** The outcome of the undo of one effect. */
export interface UndoAnswer {
  effectId: string;
  isUndone: boolean;
  /** Why it was not. */
  because: string | null;
}

export interface WhyAnswer {
  /** The effects of rules on it within 90 days, the oldest first. */
  effects: EffectAnswer[];
  /** Null where no model was asked about it, or too long ago. */
  decided: { rules: RuleDecisionAnswer[]; model: string; isBackfill: boolean; decidedAt: DateTime } | null;
  hiddenBy: { type: 'sender' | 'domain' | 'subject' | 'label' | 'ai_label'; value: string }[];
}

export interface OpenedEmailAnswer {
  email: ThreadEmailAnswer;
  folderType: OneOf<typeof FOLDER_TYPES> | null;
  /** The oldest first, the opened email included. */
  thread: ThreadEmailAnswer[];
  why: WhyAnswer;
}

/** A change of an email, as the feed tells it. */
export interface MailChangeAnswer {
  event: string;
  emailId: string;
  /** Of `email.updated`. */
  changes?: { isRead?: boolean; isStarred?: boolean };
  /** The kind of folder that it is in by now, of the events that say it. */
  folderType?: string;
}

export interface MailChangesAnswer {
  items: MailChangeAnswer[];
  nextCursor: string;
  hasMore: boolean;
}

/** The text of an email. Its html is in a frame of its own. */
export interface ReadingAnswer {
  text: string | null;
  hasHtml: boolean;
  /** Its html has images, which the frame shows on request. */
  hasImages: boolean;
  /** About as many lines has the html. */
  lines: number;
  /** As the receiving server wrote it; null where it says nothing. */
  authentication: { spf: string | null; dkim: string | null; dmarc: string | null } | null;
  /** Its attachments come from the mail server of the mailbox, from a copy of seven days, or from nowhere any more. */
  keptBy: 'provider' | 'stored' | 'none';
}
