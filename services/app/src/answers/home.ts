import type { LimitsAnswer } from './limits.ts';
import type { DateTime } from './types.ts';

export interface HomeAnswer {
  mailboxes: {
    total: number;
    failing: { id: string; email: string; status: string; lastError: string | null }[];
    /** Of the mailbox that is furthest behind; null where none has synced. */
    lagSeconds: number | null;
  };
  /** Automatic replies that wait for their time, and drafts that rules made. */
  replies: { waiting: number; drafts: number };
  /** Mail that was given up, and waits for an operator. Each is counted to 1,000. */
  quarantined: {
    /** Messages that could not be parsed, and are in no list. */
    messages: number;
    /** Emails that the model did not classify. */
    emails: number;
  };
  /** Events of this workspace that a service gave up. They wait for an operator, and are counted to 1,000. */
  deadLetters: number;
  /** The messages of agents that wait for this person. */
  approvals: { waiting: number };
  /** Null where webhooks are closed, and for members. */
  webhooks: {
    total: number;
    failing: { id: string; url: string; status: string; failingSince: DateTime | null }[];
  } | null;
  limits: LimitsAnswer;
  backfills: { running: number };
}
