import type { LimitDecision } from '@postroom/limits/limiter';
import { RefusalWithHeaders } from '../response/answer.ts';

/** The 429 that a verdict asks for. */
export function limitRefusal({ refusedBy, retryAfter = 1, minute, month }: LimitDecision): RefusalWithHeaders {
  const headers = { 'Retry-After': String(retryAfter) };
  if (refusedBy !== 'month')
    return new RefusalWithHeaders('RATE_LIMIT_EXCEEDED', headers, { details: { resetAt: iso(minute.resetAt) } });
  const { used, quota, resetAt } = month;
  return new RefusalWithHeaders('QUOTA_EXCEEDED', headers, { details: { used, quota, resetAt: iso(resetAt) } });
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
