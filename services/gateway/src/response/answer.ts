import type { Writable } from 'node:stream';
import { ApiError, toApiError, type ApiErrorOptions } from '@postroom/errors/api-error';
import { catalogue } from '@postroom/errors/catalogue';
import { errorBody } from '@postroom/http/error-body';
import type { Log } from '@postroom/runtime/log';

/** The response for a caller. */
export interface Answer {
  status: number;
  /** JSON, unless a type says otherwise; none for 204. */
  body?: Buffer | undefined;
  type?: string;
  /** The time for which caches may keep it; not at all unless set. */
  cacheControl?: string;
  headers?: Readonly<Record<string, string>>;
  /** Writes the body piece by piece and ends it, in the place of `body`. */
  stream?: EventStream['stream'];
  /** The answer comes later than that of a request may. The signal is aborted when the client is gone. */
  later?: (signal: AbortSignal) => Promise<Answer>;
  /** Quota units this answer used, where that differs from what was reserved. */
  units?: number | undefined;
}

export interface EventStream {
  stream(to: Writable): void;
}

export function json(status: number, value: unknown): Answer {
  return { status, body: Buffer.from(JSON.stringify(value)) };
}

const NOT_FINAL: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/** Whether a repeat of the call would be answered in the same way, so that an Idempotency-Key may keep the answer. */
export function isFinal(status: number): boolean {
  return status < 500 && !NOT_FINAL.has(status);
}

/** The headers of a status, which tell a client how to try again. */
const HEADERS: Readonly<Record<number, Record<string, string>>> = { 401: { 'WWW-Authenticate': 'Bearer' } };

export function errorAnswer(error: ApiError): Answer {
  const { http } = catalogue[error.code];
  const headers = error instanceof RefusalWithHeaders ? error.headers : HEADERS[http];
  return { ...json(http, errorBody(error)), ...(headers && { headers }) };
}

/** The public form of any thrown error. The cause of an unexpected one stays in the log. */
export function answerFor(thrown: unknown, log: Log, requestId: string): Answer {
  const error = toApiError(thrown);
  const isForeseen = error instanceof RefusalWithHeaders;
  if (error.code === 'INTERNAL_ERROR' && !isForeseen)
    log.error({ err: error.cause ?? error, requestId }, 'unexpected failure');
  return errorAnswer(error);
}

/** An error that brings headers of its own. */
export class RefusalWithHeaders extends ApiError {
  readonly headers: Record<string, string>;

  constructor(code: ApiError['code'], headers: Record<string, string>, options?: ApiErrorOptions) {
    super(code, options);
    this.headers = headers;
  }
}

/** The refusal of a call for which there is no capacity: the caller may repeat it at once. */
export function tooBusy(): RefusalWithHeaders {
  return new RefusalWithHeaders('INTERNAL_ERROR', { 'Retry-After': '1' }, { message: 'Too busy just now; try again.' });
}
