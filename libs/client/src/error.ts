import type { Limits } from './limits.ts';
import type { ErrorCode } from './operations.ts';

/** What a call was refused with. `UNREADABLE_ANSWER`: what came was not this API's, from a proxy perhaps. */
export class PostroomError extends Error {
  override readonly name = 'PostroomError';
  readonly code: ErrorCode | 'UNREADABLE_ANSWER';
  readonly status: number;
  readonly details: Record<string, unknown>;
  /** What to name when asking about the call. */
  readonly requestId: string | undefined;
  readonly limits: Limits | undefined;
  /** When the API says to come again. */
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

/** What the headers of any answer tell. */
export interface Told {
  requestId: string | undefined;
  limits: Limits | undefined;
  retryAfterMs: number | undefined;
}

/** Whether something that was thrown is a refusal, with that code if one is named. */
export function isPostroomError(thrown: unknown, code?: PostroomError['code']): thrown is PostroomError {
  return thrown instanceof PostroomError && (code === undefined || thrown.code === code);
}
