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
export const headerComponents: Record<string, DescribedHeader> = {
  ...Object.fromEntries(
    Object.entries(LIMITS).map(([name, description]) => [name, { description, required: true, schema: integer }]),
  ),
  'X-Request-Id': {
    description: 'Names this call when you ask us about it.',
    required: true,
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 1 } },
  'Idempotency-Replayed': {
    description: 'Present when an earlier answer is repeated.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'How to say who you are.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
};

type DescribedHeader = { description: string; required?: boolean; schema: object };

interface Occasion {
  status: number;
  /** Whether an answer may be the repetition of an earlier one. */
  isReplayable: boolean;
}

/** Answers before the caller is known: from an overloaded gateway, or from one that cannot check the key. */
const PERHAPS_UNKNOWN = new Set([408, 500]);

/** The headers of an answer. Every answer to a known caller has the six of the limits. */
export function headersOf({ status, isReplayable }: Occasion): Record<string, object> {
  const isUnsure = PERHAPS_UNKNOWN.has(status);
  const limits = status === 401 ? [] : Object.keys(LIMITS);
  const others: [string, boolean][] = [
    ['WWW-Authenticate', status === 401],
    ['Retry-After', status === 429 || status === 500],
    ['Idempotency-Replayed', isReplayable],
  ];
  const names = [...limits, ...others.filter(([, isThere]) => isThere).map(([name]) => name)];
  const described = names.map((name) => [name, isUnsure ? perhaps(name) : referenceTo(name)]);
  return { 'X-Request-Id': referenceTo('X-Request-Id'), ...Object.fromEntries(described) };
}

const referenceTo = (name: string) => ({ $ref: `#/components/headers/${name}` });
const perhaps = (name: string) => ({ ...headerComponents[name], required: false });
