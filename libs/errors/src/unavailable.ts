import { status } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { errorOfBulkWrite } from './bulk-write.ts';
import { ApiError } from './api-error.ts';

// These are messages of grpc-js, which gives no other sign whether a failed call began to run.
const NEVER_RAN = /^Stream refused by server$|^(round_robin: )?No connection established\b/;
/** The names of the driver's errors when it finds no server or loses its connection. */
const NO_DATABASE = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  // Other calls hold all connections of the pool, and none is returned in time.
  'MongoWaitQueueTimeoutError',
  // The client was exchanged for one with another password while the operation ran.
  'MongoClientClosedError',
  'MongoTopologyClosedError',
]);
const SERVER_ERRORS = new Set(['MongoServerError', 'MongoWriteConcernError', 'MongoBulkWriteError']);
/**
 * The answers of a member that shuts down, is not the primary now, or whose disk is full. The driver tries again once, and
 * some writes never.
 */
const NOT_NOW = new Set<unknown>([91, 189, 10107, 11600, 11602, 13435, 13436, 14031]);

/**
 * Whether no handler saw the call, because there was no connection or its peer was closing it. A retry is then safe for
 * every method. gRPC retries once by itself, which is not enough when two peers close at the same moment.
 */
export function neverRan(error: unknown): boolean {
  const { code, details } = error as Partial<ServiceError>;
  return code === status.UNAVAILABLE && NEVER_RAN.test(details ?? '');
}

/** Whether a service or the database was unavailable. The request is not the cause and can wait. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return neverRan(error) || isOfDatabase(error) || isUnavailable(error.cause) || isUnavailable(errorOfBulkWrite(error));
}

function isOfDatabase(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return NO_DATABASE.has(error.name) || (SERVER_ERRORS.has(error.name) && NOT_NOW.has(code));
}

/** The call timed out and no other caller got an answer to the same question: the peer probably hangs. */
export class NobodyAnswered extends ApiError {
  constructor({ message, cause }: ApiError) {
    super('QUERY_TIMEOUT', { message, cause });
  }
}

const SHORTEST_PAUSE_MS = 1_000;
/** Pending work is taken up within ten seconds, and its poll needs two of them. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * The time until the next try of what an unavailable service holds up. It grows with the time waited already: in a long
 * outage, a try every second for each email would only keep the database busy.
 */
export function pauseWhileUnavailable(waitedMs: number): number {
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, Math.round(waitedMs / 4)));
}

/**
 * Whether a peer accepts calls and answers nobody. The request is probably not the cause, but that is not certain when
 * there is no other caller.
 */
export function isHanging(error: unknown): boolean {
  return error instanceof Error && (error instanceof NobodyAnswered || isHanging(error.cause));
}
