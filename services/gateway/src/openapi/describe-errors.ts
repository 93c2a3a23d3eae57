import { catalogue, type ErrorCode } from '@postroom/errors/catalogue';
import { isFinal } from '../response/answer.ts';
import type { Route } from '../routes/table.ts';
import { headersOf } from './describe-headers.ts';
import { examplesOf } from './error-examples.ts';

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
function codesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...EVERYWHERE, ...route.errors]);
  if (route.permission === 'send') codes.add('OUTBOUND_SEND_NOT_ALLOWED');
  if (route.idempotent) codes.add('CONFLICT');
  return (Object.keys(catalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Refusals before the idempotency key is read, or about that key. */
const NEVER_REPLAYED = new Set<ErrorCode>(['REQUEST_ERROR', 'PAYLOAD_TOO_LARGE', 'CONFLICT']);

interface Group {
  status: number;
  codes: ErrorCode[];
  isReplayable: boolean;
}

/** One response per status, by reference: most routes share most of them. */
export function errorResponses(route: Route): Record<string, unknown> {
  const named = groupsOf(route).map((group) => [group.status, { $ref: `#/components/responses/${nameOf(group)}` }]);
  return Object.fromEntries(named) as Record<string, unknown>;
}

/** The responses that those references mean. */
export function responseComponents(routes: readonly Route[]): Record<string, unknown> {
  const named = routes.flatMap(groupsOf).map((group) => [nameOf(group), errorResponse(group)]);
  return Object.fromEntries(named) as Record<string, unknown>;
}

function groupsOf(route: Route): Group[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(route)) {
    const { http } = catalogue[code];
    byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  return [...byStatus].map(([status, codes]) => {
    const isKept = isFinal(status) && codes.some((code) => !NEVER_REPLAYED.has(code));
    return { status, codes, isReplayable: route.idempotent && isKept };
  });
}

const nameOf = ({ codes, isReplayable }: Group) => `${codes.join('.')}${isReplayable ? '.replayable' : ''}`;

function errorResponse({ status, codes, isReplayable }: Group) {
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: { code: { enum: codes } } }],
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].sentence}`).join(' '),
    headers: headersOf({ status, isReplayable }),
    content: { 'application/json': { schema, examples: examplesOf(codes) } },
  };
}

/** Codes that only closed routes answer are not described. */
export const codesNamedBy = (routes: readonly Route[]): ErrorCode[] => {
  const named = new Set(routes.flatMap(codesOf));
  return (Object.keys(catalogue) as ErrorCode[]).filter((code) => named.has(code));
};

export const errorSchema = (routes: readonly Route[]) => ({
  type: 'object',
  required: ['code', 'error'],
  properties: {
    code: { type: 'string', enum: codesNamedBy(routes), description: 'Stable.' },
    error: { type: 'string', description: 'For people; may be reworded.' },
    details: {
      type: 'object',
      description: 'What the code is about; for `VALIDATION_FAILED` faulty fields, each with its messages.',
    },
  },
});
