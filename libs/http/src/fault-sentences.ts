import type { z } from 'zod';

const WHAT: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  array: 'an array',
  object: 'an object',
};

/** The fault of a field in our own words, instead of those of the validation library. */
export function faultSentence(issue: z.core.$ZodRawIssue): string | undefined {
  const unit = issue['origin'] === 'array' ? ' entries' : '';
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${WHAT[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return oneOf(issue['options'] as string[]);
    case 'too_small':
      return unit ? `must have at least ${issue.minimum}${unit}` : `must be at least ${issue.minimum}`;
    case 'too_big':
      return unit ? `must have at most ${issue.maximum}${unit}` : `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

const oneOf = (values: readonly unknown[]) => `must be one of ${values.join(', ')}`;
