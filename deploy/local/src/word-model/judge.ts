import { readCondition, startsWord } from './condition.ts';
import { readFacts } from './facts.ts';
import { foldWords } from './fold-text.ts';
import type { SeenEmail, WordRule } from './question.ts';
import type { ConditionTopic } from './topics.ts';

/** A verdict as a model writes it. */
interface WordVerdict {
  rule_id: string;
  applies: boolean;
  /** 0 to 100. */
  confidence: number;
  reason: string;
}

interface FoldedMail {
  subject: string;
  all: string;
}

/** It knows a few topics by their words, and answers "unknown" otherwise. */
export function judgeByWords(rules: readonly WordRule[], email: SeenEmail): WordVerdict[] {
  const folded = foldMail(email);
  return rules.map((rule) => judgeWithFacts(rule, email, folded));
}

const LEAST_SCORE = 2;
const SURE = 95;
const OF_WORDS_ALONE = 50;

function judgeWithFacts(rule: WordRule, email: SeenEmail, folded: FoldedMail): WordVerdict {
  const { rest, hold } = readFacts(rule.condition, email);
  if (hold === null) return judgeRule(rule, folded);
  const { rule_id } = rule;
  if (!hold) {
    const reason = hold === false ? 'what the mail system knows is otherwise' : 'unknown to the mail system';
    return { rule_id, applies: false, confidence: hold === false ? SURE : 0, reason };
  }
  const { topics, names, others, isNegated } = readCondition(rest);
  const isAll = topics.length + names.length + others.length === 0 && !isNegated;
  if (isAll) return { rule_id, applies: true, confidence: SURE, reason: 'the mail system knows it' };
  return judgeRule({ rule_id, condition: rest }, folded);
}

function judgeRule({ rule_id, condition }: WordRule, mail: FoldedMail): WordVerdict {
  const { topics, names, others, isEvery, isNegated } = readCondition(condition);
  const say = (applies: boolean, confidence: number, reason: string) => ({ rule_id, applies, confidence, reason });
  if (isNegated) return say(false, 0, 'unknown: the condition turns on a negation');
  const absent = names.filter((name) => !mail.all.includes(name));
  if (absent.length > 0) return say(false, 60, 'the mail does not mention what the condition names');
  if (topics.length > 0) {
    const scores = topics.map((topic) => scoreOf(topic, mail));
    const score = isEvery ? Math.min(...scores) : Math.max(...scores);
    const about = topics.map(({ name }) => name).join(', ');
    // An unknown part of the condition lowers the confidence.
    const confidence = Math.min(SURE, 55 + 12 * score) - (others.length > 0 ? 15 : 0);
    if (score >= LEAST_SCORE) return say(true, confidence, `words of the mail tell of ${about}`);
    return say(false, score === 0 ? 60 : 30, `few or no words of the mail tell of ${about}`);
  }
  if (names.length > 0)
    return say(true, others.length > 0 ? OF_WORDS_ALONE : 80, 'the mail mentions what the condition names');
  const isAll = others.length > 0 && others.every((word) => startsWord(mail.all, word));
  if (isAll) return say(true, OF_WORDS_ALONE, 'every word of the condition stands in the mail');
  return say(false, 0, 'unknown: the condition is about nothing this judge knows');
}

/** A word in the subject counts twice. */
function scoreOf({ seen }: ConditionTopic, { subject, all }: FoldedMail): number {
  const inSubject = seen.filter((stem) => startsWord(subject, stem)).length;
  return 2 * inSubject + seen.filter((stem) => startsWord(all, stem)).length - inSubject;
}

function foldMail({ from, subject, text }: SeenEmail): FoldedMail {
  return { subject: foldWords(subject), all: foldWords(`${from}\n${subject}\n${text}`) };
}
