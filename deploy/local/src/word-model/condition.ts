import { foldWords } from './fold-text.ts';
import { type ConditionTopic, topics } from './topics.ts';

/** The meaning of a condition, as far as its words show it. */
interface ReadCondition {
  topics: readonly ConditionTopic[];
  /** Names, addresses, domains and quoted text. The mail has to contain each. */
  names: readonly string[];
  /** Other meaningful words without a known topic. */
  others: readonly string[];
  isEvery: boolean;
  /** It depends on a negation, so its words alone do not show its meaning. */
  isNegated: boolean;
}

const NEGATIONS = /\b(?:not|never|no|none|except|unless|without|isn't|doesn't|aren't|don't|nicht|kein\w*|ohne)\b/i;
const QUOTED = /["\u201c\u201e\u00ab]([^"\u201d\u201c\u00bb]{2,100})["\u201d\u201c\u00bb]/g;
/** Each word is checked once as a whole, because a pattern for an address would try every part of a long word. */
const UNSPACED = /[\w.+@-]+/g;
const HAS_DOMAIN = /[\w-]\.[\w-]/;
const AROUND = /^[.@]|[.@+]$/g;
/** Within the sentence; its first word has its capital for another reason. */
const NAME = /(?<=[^.!?\s]\s)\p{Lu}[\p{L}\d-]+/gu;
const SAYS_NOTHING = new Set(
  (
    'the a an is are was of or and any all from for to in on at by with that this it its be has have which who whose if when ' +
    'email emails mail mails message messages sender about from contains contain containing mentions mention mentioning ' +
    'some someone something anything related regarding sent new my our us me i we you your they them will can'
  ).split(' '),
);

export function readCondition(condition: string): ReadCondition {
  const folded = foldWords(condition);
  const found = topics.filter(({ named }) => named.some((word) => startsWord(folded, word)));
  const quoted = [...condition.matchAll(QUOTED)].map(([, inner = '']) => inner);
  const domains = (condition.match(UNSPACED) ?? []).filter((word) => HAS_DOMAIN.test(word));
  const written = [...domains.map((word) => word.replace(AROUND, '')), ...(condition.match(NAME) ?? [])];
  const names = [...new Set([...quoted, ...written].map(foldWords))].filter(
    (name) => !found.some(({ named }) => named.some((word) => name.startsWith(word))),
  );
  const words = folded.match(/[\p{L}\d-]{3,}/gu) ?? [];
  const isKnown = (word: string) =>
    SAYS_NOTHING.has(word) ||
    names.some((name) => name.includes(word)) ||
    found.some(({ named }) => named.some((stem) => stem.includes(word) || word.startsWith(stem)));
  return {
    topics: found,
    names,
    others: [...new Set(words.filter((word) => !isKnown(word)))],
    isEvery: /\band\b/.test(folded),
    isNegated: NEGATIONS.test(condition),
  };
}

/** Matches at the begin of a word: "invoice" in "invoices", and not "bill" in "ability". */
export function startsWord(folded: string, stem: string): boolean {
  if (!/^\p{L}/u.test(stem)) return folded.includes(stem);
  for (let at = folded.indexOf(stem); at !== -1; at = folded.indexOf(stem, at + 1)) {
    if (at === 0 || !/[\p{L}\d]/u.test(folded[at - 1] as string)) return true;
  }
  return false;
}
