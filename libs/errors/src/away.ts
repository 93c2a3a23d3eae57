import { status } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';

// The words are grpc-js's own: it tells in no other way whether a call that failed had begun to run.
const NEVER_RAN = /^Stream refused by server$|^(round_robin: )?No connection established\b/;
/** What the driver says where it has no server to ask, or loses it. */
const NO_DATABASE = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
]);

/**
 * Whether no handler saw the call, because there was no connection or its peer was closing it. Sending it again is safe
 * then whatever the method does. gRPC does so once by itself, which two peers that close at the same moment outdo.
 */
export function neverRan(error: unknown): boolean {
  const { code, details } = error as Partial<ServiceError>;
  return code === status.UNAVAILABLE && NEVER_RAN.test(details ?? '');
}

/** Whether a service or the database was not there: what was asked of it is not to blame, and may wait for it. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return neverRan(error) || NO_DATABASE.has(error.name) || isAway(error.cause);
}
