import { ApiError, toApiError } from '@postroom/errors/api-error';
import { catalogue } from '@postroom/errors/catalogue';
import type { Log } from '@postroom/runtime/log';
import { json, type Answer } from './answer.ts';

/** The only place where a refusal becomes JSON. */
export function renderError(error: ApiError, headers?: Record<string, string>): Answer {
  const { code, message, details } = error;
  const answer = json(catalogue[code].http, { code, error: message, ...(details && { details }) });
  return headers ? { ...answer, headers } : answer;
}

/** Whatever was thrown, as the caller may know it; the cause of what nobody expected stays in the log. */
export function answerFor(thrown: unknown, log: Log, requestId: string): Answer {
  const error = toApiError(thrown);
  if (error.code === 'INTERNAL_ERROR') log.error({ err: error.cause ?? error, requestId }, 'unexpected failure');
  return renderError(error, thrown instanceof Refusal ? thrown.headers : undefined);
}

/** An error that brings headers of its own. */
export class Refusal extends ApiError {
  readonly headers: Record<string, string>;

  constructor(code: ApiError['code'], headers: Record<string, string>, details?: Record<string, unknown>) {
    super(code, details ? { details } : {});
    this.headers = headers;
  }
}
