import { PostroomError, type Told } from './error.ts';
import { readLimits, type Limits } from './limits.ts';
import type { ErrorCode } from './operations.ts';

export interface ApiAnswer<T> {
  data: T;
  status: number;
  limits: Limits | undefined;
  requestId: string | undefined;
  /** An earlier call with the same idempotency key has done this. */
  isReplay: boolean;
}

/** The data of an answer, or the refusal thrown. */
export async function readAnswer<T>(response: Response): Promise<ApiAnswer<T>> {
  const { status, headers } = response;
  const text = await response.text();
  const told = readHeaders(headers);
  const body = readBody(text);
  if (!response.ok || body === UNREADABLE) throw refusalOf(status, body, told);
  const { limits, requestId } = told;
  return { data: body as T, status, limits, requestId, isReplay: headers.get('idempotency-replayed') === 'true' };
}

const UNREADABLE = Symbol('unreadable');

function readBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return UNREADABLE;
  }
}

function readHeaders(headers: Headers): Told {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    requestId: headers.get('x-request-id') ?? undefined,
    limits: readLimits(headers),
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  };
}

function refusalOf(status: number, body: unknown, told: Told): PostroomError {
  if (isRefusal(body)) {
    const { code, error, details = {} } = body;
    return new PostroomError({ code, message: error, status, details }, told);
  }
  const message = `What answered with ${status} was not the API.`;
  return new PostroomError({ code: 'UNREADABLE_ANSWER', message, status, details: {} }, told);
}

function isRefusal(body: unknown): body is Refusal {
  if (typeof body !== 'object' || body === null) return false;
  const { code, error } = body as Record<string, unknown>;
  return typeof code === 'string' && typeof error === 'string';
}

interface Refusal {
  code: ErrorCode;
  error: string;
  details?: Record<string, unknown>;
}
