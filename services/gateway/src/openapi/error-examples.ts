import { catalogue, type ErrorCode } from '@postroom/errors/catalogue';

/** The codes with details, each with an example. */
const DETAILS: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  VALIDATION_FAILED: { name: ['must have at most 50 characters'] },
  API_KEY_EXPIRED: { expiredAt: '2026-01-31T00:00:00.000Z' },
  INSUFFICIENT_SCOPE: { required: 'write', granted: ['read'] },
  CHANGES_EXPIRED: { oldestCursor: 'kU1mGq3oB9xYw0Zp7LdRfA', currentCursor: 'w8Jc2TnV5sEhKb4XyQ6uZg' },
  DUPLICATE_FILTER: { filterId: 'flt_2V7cQyTn0bLw8dRk5sXfUa' },
  RATE_LIMIT_EXCEEDED: { resetAt: '2026-01-15T12:00:42.000Z' },
  QUOTA_EXCEEDED: { used: 10_000, quota: 10_000, resetAt: '2026-02-01T00:00:00.000Z' },
};

/** One for each code, so that what is shown for a refusal is that refusal. */
export function errorExamples(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => {
      const details = DETAILS[code];
      return [code, { value: { code, error: catalogue[code].sentence, ...(details && { details }) } }];
    }),
  );
}

export function examplesOf(codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}
