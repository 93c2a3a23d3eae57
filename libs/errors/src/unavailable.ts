import { status } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { ApiError } from './api-error.ts';

// The words are grpc-js's own: it tells in no other way whether a call that failed had begun to run.
const NEVER_RAN = /^Stream refused by server$|^(round_robin: )?No connection established\b/;
/** What the driver says where it has no server to ask, or loses it. */
const NO_DATABASE = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  // Others hold all its connections, and none of them comes back.
  'MongoWaitQueueTimeoutError',
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
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return neverRan(error) || NO_DATABASE.has(error.name) || isUnavailable(error.cause);
}

/** A call that had no answer in time while nobody else had one who asked for the same: its peer hangs, by all that is known. */
export class NobodyAnswered extends ApiError {
  constructor({ message, cause }: ApiError) {
    super('QUERY_TIMEOUT', { message, cause });
  }
}

/**
 * Whether something is there and answers nobody. What was asked of it is hardly to blame; that it is cannot be ruled out
 * where nobody else asks.
 */
export function isHanging(error: unknown): boolean {
  return error instanceof Error && (error instanceof NobodyAnswered || isHanging(error.cause));
}
