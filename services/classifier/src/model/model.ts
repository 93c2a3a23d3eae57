import type { Availability } from './availability.ts';
export type { Prices } from './model-metrics.ts';
import type { MailText } from '../mail/mail-text.ts';

export interface AskedRule {
  ruleId: string;
  condition: string;
}

/** One email and every rule of its workspace: all that a model sees of them. */
export interface Question {
  rules: readonly AskedRule[];
  mail: MailText;
}

/** An earlier message between the sender and the owner of the mailbox, in the words of whoever wrote it. */
export interface ThreadText {
  by: 'sender' | 'owner';
  date: string;
  text: string;
}

/** The person or team that answers. */
export interface OwnerText {
  name: string | null;
  signature: string | null;
}

/** One email, and what its sender and the owner have written to each other in its thread: all that a reply is made of. */
export interface ReplyQuestion {
  mail: MailText;
  /** The newest last. */
  thread: readonly ThreadText[];
  owner: OwnerText;
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

export interface Tokens {
  inputTokens: number;
  outputTokens: number;
}

/** Receives the tokens of each answer, also of a call that fails in the end; with the first, the rough count of its question. */
export type Spend = (answer: Tokens & { rough?: Tokens }) => void;

/** Earlier first answers of judgements, of all processes: the rough counts of their questions, and what the model reported. */
export interface PastAnswers {
  count: number;
  rough: Tokens;
  reported: Tokens;
}

/** It throws `ModelUnavailable` while it answers nothing, and any other error when this email is to blame. */
export interface Model {
  /** Whether anybody is answered: known at once, or found out where it is time to. */
  availability: Pick<Availability, 'isAvailable' | 'check'>;
  /** Whether rules apply. */
  judge(question: Question, signal: AbortSignal, spend?: Spend): Promise<Judgement>;
  /** The text of a reply in the language of the mail; undefined when there is none that can be read. */
  reply(question: ReplyQuestion, signal: AbortSignal, spend?: Spend): Promise<string | undefined>;
}

/** The calls and tokens that a question is likely to take. */
export interface ModelEstimate extends Tokens {
  calls: number;
}

/** It tells before a question what its answer is likely to take. */
export interface EstimatingModel extends Model {
  /** Asks nobody. */
  estimate(question: Question, past?: PastAnswers): ModelEstimate;
}

/** The verdicts of rules without a readable answer. */
export function unknown(rules: readonly AskedRule[], reason: string): Verdict[] {
  return rules.map(({ ruleId }) => ({ ruleId, applies: false, confidence: 0, reason }));
}
