import type { Limits } from './limits.ts';
import type { ErrorCode } from './operations.ts';

/** The refusal of a call. `UNREADABLE_ANSWER` means that the answer is not from this API, but perhaps from a proxy. */
export class PostroomError extends Error {
  override readonly name = 'PostroomError';
  readonly code: ErrorCode | 'UNREADABLE_ANSWER';
  readonly status: number;
  readonly details: Record<string, unknown>;
  /** The id to quote when you ask about the call. */
  readonly requestId: string | undefined;
  readonly limits: Limits | undefined;
  /** The moment at which the API allows the next try. */
  readonly retryAfterMs: number | undefined;

  constructor(refusal: Pick<PostroomError, 'code' | 'message' | 'status' | 'details'>, told: Told) {
    super(refusal.message);
    this.code = refusal.code;
    this.status = refusal.status;
    this.details = refusal.details;
    this.requestId = told.requestId;
    this.limits = told.limits;
    this.retryAfterMs = told.retryAfterMs;
  }
}

/** The facts in the headers of every answer. */
export interface Told {
  requestId: string | undefined;
  limits: Limits | undefined;
  retryAfterMs: number | undefined;
}

/** Whether something that was thrown is a refusal, with that code if one is named. */
export function isPostroomError(thrown: unknown, code?: PostroomError['code']): thrown is PostroomError {
  return thrown instanceof PostroomError && (code === undefined || thrown.code === code);
}
