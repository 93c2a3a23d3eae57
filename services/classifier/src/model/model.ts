import type { MailText } from '../mail/mail-text.ts';

export interface AskedRule {
  ruleId: string;
  condition: string;
}

/** One email and every rule of its workspace: all that a model ever sees. */
export interface Question {
  rules: readonly AskedRule[];
  mail: MailText;
}

export interface Verdict {
  ruleId: string;
  applies: boolean;
  /** 0 to 100. */
  confidence: number;
  reason: string;
}

export interface Judgement {
  /** One for each rule that was asked, in their order. */
  verdicts: Verdict[];
  model: string;
  inputTokens: number;
  outputTokens: number;
}

/** It throws `RetryLater` while it is away, and anything else when this email is to blame. */
export interface Model {
  /** Whether rules apply. */
  judge(question: Question, signal: AbortSignal): Promise<Judgement>;
  /** What to answer, in the language of the mail; undefined where it has nothing to say that can be read. */
  reply(mail: MailText, signal: AbortSignal): Promise<string | undefined>;
}

/** What is said of rules that nothing could be said about. */
export function unknown(rules: readonly AskedRule[], reason: string): Verdict[] {
  return rules.map(({ ruleId }) => ({ ruleId, applies: false, confidence: 0, reason }));
}
