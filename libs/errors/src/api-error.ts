import { errorOfBulkWrite } from './bulk-write.ts';
import { catalogue } from './catalogue.ts';
import type { ErrorCode } from './catalogue.ts';

export interface ApiErrorOptions {
  /** The caller reads them beside the code, so they hold nothing that the caller may not know. */
  details?: Record<string, unknown>;
  /** Replaces the catalogue's sentence for the caller. */
  message?: string;
  /** It is for the log and never leaves the process. */
  cause?: unknown;
}

/** The only error that may reach a caller: a code of the contract, a sentence and details are public, the cause is not. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details?: Record<string, unknown>;

  constructor(code: ErrorCode, { details, message, cause }: ApiErrorOptions = {}) {
    super(message ?? catalogue[code].sentence, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.code = code;
    if (details) this.details = details;
  }

  get httpStatus(): number {
    return catalogue[this.code].http;
  }
}

interface Stranger {
  name?: unknown;
  code?: unknown;
  codeName?: unknown;
  metadata?: unknown;
}

// A database, a peer and a timer report a timeout in different ways. Callers get one code for all of them.
const tooLate: readonly ((stranger: Stranger) => boolean)[] = [
  (stranger) => stranger.code === 50 || stranger.codeName === 'MaxTimeMSExpired',
  (stranger) => stranger.name === 'MongoOperationTimeoutError' || stranger.name === 'MongoWaitQueueTimeoutError',
  (stranger) => stranger.code === 4 && stranger.metadata !== undefined,
  (stranger) => stranger.name === 'TimeoutError',
];

/** The only conversion from any thrown value to an error of the contract. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const stranger: unknown = errorOfBulkWrite(thrown) ?? thrown;
  const isObject = typeof stranger === 'object' && stranger !== null;
  const isTooLate = isObject && tooLate.some((matches) => matches(stranger));
  return new ApiError(isTooLate ? 'QUERY_TIMEOUT' : 'INTERNAL_ERROR', { cause: thrown });
}
