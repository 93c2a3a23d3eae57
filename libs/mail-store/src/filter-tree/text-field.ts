import type { FoldedPart } from '../documents/email.ts';
import { foldCase } from '../fold.ts';
import type { FieldFamily } from './field-family.ts';
import { ALWAYS, none, some, type Query } from './query.ts';
import type { Condition } from './tree.ts';

const NEGATIONS: Record<string, string> = { not_contains: 'contains', not_equals: 'equals' };

/** Folded parts are blocks of lines, "\nfirst\nsecond\n": where the needle has a line break, a line begins or ends. */
const NEEDLES: Record<string, (text: string) => string> = {
  contains: (text) => text,
  equals: (text) => `\n${text}\n`,
  starts_with: (text) => `\n${text}`,
  ends_with: (text) => `${text}\n`,
};

/** Text of the email, ignoring case; several parts are asked as one. */
export function textField(...parts: (keyof FoldedPart)[]): FieldFamily {
  return {
    faultIn: () => undefined,
    toQuery: (condition) => {
      const { operator, isNegated } = readOperator(condition);
      const queries = parts.map((part) => partQuery(part, operator, foldCase(condition.value)));
      return isNegated ? none(queries) : some(queries);
    },
  };
}

function readOperator({ type }: Condition): { operator: string; isNegated: boolean } {
  const operator = NEGATIONS[type];
  return operator ? { operator, isNegated: true } : { operator: type, isNegated: false };
}

/** A search for a piece of text, which is a literal all the way: nothing in it can be a pattern or a field. */
export function containsLiteral(part: keyof FoldedPart, needle: string): Query {
  return { $expr: { $gte: [{ $indexOfCP: [`$folded.${part}`, { $literal: needle }] }, 0] } };
}

function partQuery(part: keyof FoldedPart, operator: string, text: string): Query {
  if (text === '') return operator === 'equals' ? { [`folded.${part}`]: '' } : ALWAYS;
  return containsLiteral(part, needleOf(operator, text));
}

function needleOf(operator: string, text: string): string {
  return NEEDLES[operator]?.(text) ?? text;
}
