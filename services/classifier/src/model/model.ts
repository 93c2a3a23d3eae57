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

/** Who judges whether rules apply. It throws `NotNow` while it is away, and anything else when this email is to blame. */
export interface Model {
  judge(question: Question, signal: AbortSignal): Promise<Judgement>;
}

/** What is said of rules that nothing could be said about. */
export function unknown(rules: readonly AskedRule[], reason: string): Verdict[] {
  return rules.map(({ ruleId }) => ({ ruleId, applies: false, confidence: 0, reason }));
}
