import type { PersonInMail } from './mail.ts';
import type { DateTime } from './types.ts';

/** The cost is at the prices that the operator has configured. */
export interface ModelSpendAnswer {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
}

export interface TestVerdictAnswer {
  applies: boolean;
  /** 0 to 100. */
  confidence: number;
  reason: string;
}

export interface RuleTestEmailAnswer {
  emailId: string;
  mailboxId: string;
  from: PersonInMail;
  subject: string;
  date: DateTime;
}

/** Null where the stored rule has not decided about the email. */
export interface EmailBeforeAnswer {
  emailId: string;
  before: (TestVerdictAnswer & { decidedAt: DateTime }) | null;
}

export interface RuleTestEstimateAnswer {
  items: EmailBeforeAnswer[];
  estimate: ModelSpendAnswer;
}

export interface TestedEmailAnswer {
  emailId: string;
  after: TestVerdictAnswer | null;
  /** The cause where the model failed on this email. */
  failure: string | null;
}

export interface RuleTestAnswer {
  items: TestedEmailAnswer[];
  spent: ModelSpendAnswer;
  /** Why emails were not asked about; null where all were. */
  stopped: string | null;
}

/** Of the regression set of a rule. */
export interface ExpectedVerdictAnswer {
  emailId: string;
  applies: boolean;
  /** Null when the email is no longer stored. */
  email: RuleTestEmailAnswer | null;
}
