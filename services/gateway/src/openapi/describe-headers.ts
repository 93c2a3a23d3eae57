const LIMITS: Record<string, string> = {
  'X-RateLimit-Limit': 'Requests allowed per minute.',
  'X-RateLimit-Remaining': 'Requests left in this minute.',
  'X-RateLimit-Reset': 'When the minute ends, in Unix seconds.',
  'X-RateLimit-Quota': 'Units allowed this month.',
  'X-RateLimit-Quota-Remaining': 'Units left this month.',
  'X-RateLimit-Quota-Reset': 'The first of next month, 00:00 UTC, in Unix seconds.',
};

const integer = { type: 'integer', minimum: 0 };

/** The headers of answers, described once. */
export const headerComponents = {
  ...Object.fromEntries(Object.entries(LIMITS).map(([name, description]) => [name, { description, schema: integer }])),
  'X-Request-Id': { description: 'Names this call when you ask us about it.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'Idempotency-Replayed': {
    description: 'Present when an earlier answer is repeated.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': { description: 'How to say who you are.', schema: { type: 'string', enum: ['Bearer'] } },
};

interface Occasion {
  status: number;
  /** Whether an answer may be the repetition of an earlier one. */
  isReplayable: boolean;
}

/** Which of them an answer brings: the six of the limits stand on every one to a caller who is known. */
export function headersOf({ status, isReplayable }: Occasion): Record<string, { $ref: string }> {
  const names = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  else names.push(...Object.keys(LIMITS));
  // A gateway that has too much to do says when to come again.
  if (status === 429 || status === 500) names.push('Retry-After');
  if (isReplayable) names.push('Idempotency-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
