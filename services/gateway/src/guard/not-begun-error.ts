import { ApiError, toApiError } from '@postroom/errors/api-error';
import { neverRan } from '@postroom/errors/unavailable';
import { isRoute, type Exchange } from './exchange.ts';
import { RefusalWithHeaders } from '../response/answer.ts';

/**
 * The error for the caller of a send: a call that certainly has not begun is reported as such, and not as one with an
 * unknown outcome.
 */
export function asNotBegunError(thrown: unknown, exchange: Exchange): unknown {
  const { endpoint, mayHaveRun, isBegun } = exchange;
  if (!isRoute(endpoint) || !endpoint.outcomeMayBeOpen || mayHaveRun) return thrown;
  const { code, cause } = toApiError(thrown);
  if (code !== 'QUERY_TIMEOUT' || (isBegun && !isWithoutPeer(cause))) return thrown;
  return new RefusalWithHeaders('INTERNAL_ERROR', {}, { message: endpoint.outcomeMayBeOpen.notBegun, cause: thrown });
}

/** The service was unavailable and never got the call. */
function isWithoutPeer(cause: unknown): boolean {
  return cause instanceof Error && (neverRan(cause) || isWithoutPeer(cause.cause));
}

/** The error of a call that gets its permit after its caller was answered. */
export function refuseLate({ response, deadline }: Exchange, now: number): void {
  if (response.headersSent || now >= deadline) throw new ApiError('QUERY_TIMEOUT');
}
