import { ApiError, toApiError, type ApiErrorOptions } from '@postroom/errors/api-error';
import { catalogue } from '@postroom/errors/catalogue';
import type { Log } from '@postroom/runtime/log';
import { json, type Answer } from './answer.ts';

/** The headers of a status, which tell a client how to try again. */
const HEADERS: Readonly<Record<number, Record<string, string>>> = { 401: { 'WWW-Authenticate': 'Bearer' } };

/** The only place where a refusal becomes JSON. */
export function renderError(error: ApiError): Answer {
  const { code, message, details } = error;
  const { http } = catalogue[code];
  const headers = error instanceof Refusal ? error.headers : HEADERS[http];
  return { ...json(http, { code, error: message, ...(details && { details }) }), ...(headers && { headers }) };
}

/** The public form of any thrown error. The cause of an unexpected one stays in the log. */
export function answerFor(thrown: unknown, log: Log, requestId: string): Answer {
  const error = toApiError(thrown);
  const isForeseen = error instanceof Refusal;
  if (error.code === 'INTERNAL_ERROR' && !isForeseen)
    log.error({ err: error.cause ?? error, requestId }, 'unexpected failure');
  return renderError(error);
}

/** An error that brings headers of its own. */
export class Refusal extends ApiError {
  readonly headers: Record<string, string>;

  constructor(code: ApiError['code'], headers: Record<string, string>, options?: ApiErrorOptions) {
    super(code, options);
    this.headers = headers;
  }
}
