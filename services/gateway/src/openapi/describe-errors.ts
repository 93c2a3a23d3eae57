import { catalogue, type ErrorCode } from '@postroom/errors/catalogue';
import type { Route } from '../route.ts';

const UNAUTHENTICATED = ['INVALID_API_KEY', 'API_KEY_REVOKED', 'API_KEY_EXPIRED'] as const;
const EVERYWHERE: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'REQUEST_ERROR',
  ...UNAUTHENTICATED,
  'WORKSPACE_SUSPENDED',
  'INSUFFICIENT_SCOPE',
  'QUERY_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_EXCEEDED',
  'QUOTA_EXCEEDED',
  'INTERNAL_ERROR',
];

/** Every code a route may answer, in the order of the catalogue. */
export function codesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...EVERYWHERE, ...route.errors]);
  if (route.permission === 'send') codes.add('OUTBOUND_SEND_NOT_ALLOWED');
  if (route.idempotent) codes.add('CONFLICT');
  return (Object.keys(catalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

/** One response per status, by reference: most routes share most of them. */
export function errorResponses(route: Route): Record<string, unknown> {
  const named = groupsOf(route).map(([status, codes]) => [status, { $ref: `#/components/responses/${nameOf(codes)}` }]);
  return Object.fromEntries(named) as Record<string, unknown>;
}

/** The responses that those references mean. */
export function responseComponents(routes: readonly Route[]): Record<string, unknown> {
  const named = routes.flatMap(groupsOf).map(([status, codes]) => [nameOf(codes), errorResponse(status, codes)]);
  return Object.fromEntries(named) as Record<string, unknown>;
}

function groupsOf(route: Route): [status: number, codes: ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(route)) {
    const { http } = catalogue[code];
    byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  return [...byStatus];
}

const nameOf = (codes: readonly ErrorCode[]) => codes.join('.');

function errorResponse(status: number, codes: ErrorCode[]) {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: { code: { enum: codes } } }],
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].sentence}`).join(' '),
    headers: { ...(status !== 401 && limitHeaders), ...(status === 429 && retryAfter) },
    content: { 'application/json': { schema } },
  };
}

export const errorSchema = {
  type: 'object',
  required: ['code', 'error'],
  properties: {
    code: { type: 'string', enum: Object.keys(catalogue), description: 'Stable.' },
    error: { type: 'string', description: 'For people; may be reworded.' },
    details: {
      type: 'object',
      description: 'What the code is about; for `VALIDATION_FAILED` faulty fields, each with its messages.',
    },
  },
};

const LIMITS: Record<string, string> = {
  'X-RateLimit-Limit': 'Requests allowed per minute.',
  'X-RateLimit-Remaining': 'Requests left in this minute.',
  'X-RateLimit-Reset': 'When the minute ends, in Unix seconds.',
  'X-RateLimit-Quota': 'Units allowed this month.',
  'X-RateLimit-Quota-Remaining': 'Units left this month.',
  'X-RateLimit-Quota-Reset': 'The first of next month, 00:00 UTC, in Unix seconds.',
};

const integer = { type: 'integer', minimum: 0 };
const reference = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** What stands on every authenticated response. */
export const limitHeaders = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, reference(name)]));
const retryAfter = { 'Retry-After': reference('Retry-After') };

export const headerComponents = {
  ...Object.fromEntries(Object.entries(LIMITS).map(([name, description]) => [name, { description, schema: integer }])),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'Idempotency-Replayed': {
    description: 'Present when an earlier answer is repeated.',
    schema: { type: 'string', enum: ['true'] },
  },
};
