import { ApiError, toApiError } from '@postroom/errors/api-error';
import { neverRan } from '@postroom/errors/away';
import { isRoute, type Exchange } from './exchange.ts';
import { Refusal } from './render-error.ts';

/**
 * What is thrown, as the caller is to hear it: where the outcome of a call may be open, one that has surely not begun is
 * told as that, and not as one of which nobody knows.
 */
export function orNotBegun(thrown: unknown, exchange: Exchange): unknown {
  const { endpoint, mayHaveRun, isBegun } = exchange;
  if (!isRoute(endpoint) || !endpoint.outcomeMayBeOpen || mayHaveRun) return thrown;
  const { code, cause } = toApiError(thrown);
  if (code !== 'QUERY_TIMEOUT' || (isBegun && !isWithoutPeer(cause))) return thrown;
  return new Refusal('INTERNAL_ERROR', {}, { message: endpoint.outcomeMayBeOpen.notBegun, cause: thrown });
}

/** Whoever would have worked on it was not there, and never heard of it. */
function isWithoutPeer(cause: unknown): boolean {
  return cause instanceof Error && (neverRan(cause) || isWithoutPeer(cause.cause));
}

/** For a call whose turn comes when its caller has been answered already. */
export function refuseLate({ response, deadline }: Exchange, now: number): void {
  if (response.headersSent || now >= deadline) throw new ApiError('QUERY_TIMEOUT');
}
