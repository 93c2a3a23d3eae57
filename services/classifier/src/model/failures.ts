import type { Clock } from '@postroom/runtime/clock';
import OpenAI from 'openai';
import type { Failure } from './gate.ts';

/** It did not answer in time, or stopped in the middle of its answer. */
export class TooSlow extends Error {}

/** It goes on and on. */
export class TooLong extends Error {}

const USUAL_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 10 * 60_000;
/** A key or a name that is wrong stays so until somebody mends it. */
const MISCONFIGURED_MS = 30_000;

/** What a failed call says about the model; undefined when it is not the model that failed. */
export function readFailure(error: unknown, clock: Pick<Clock, 'now'>): Failure | undefined {
  if (error instanceof OpenAI.APIUserAbortError) return undefined;
  const isItsOwn = error instanceof TooSlow || error instanceof TooLong;
  if (isItsOwn || error instanceof OpenAI.APIConnectionTimeoutError) return { kind: 'unsure' };
  if (error instanceof OpenAI.APIConnectionError) return { kind: 'away' };
  if (error instanceof OpenAI.RateLimitError) return { kind: 'away', retryAfterMs: waitOf(error.headers, clock) };
  if (isMisconfigured(error)) return { kind: 'away', retryAfterMs: MISCONFIGURED_MS };
  // An answer that is no JSON at all comes as a SyntaxError.
  if (error instanceof OpenAI.APIError || error instanceof SyntaxError) return { kind: 'unsure' };
  return undefined;
}

function isMisconfigured(error: unknown): boolean {
  return (
    error instanceof OpenAI.AuthenticationError ||
    error instanceof OpenAI.PermissionDeniedError ||
    error instanceof OpenAI.NotFoundError
  );
}

/** In seconds, or as a date. */
function waitOf(headers: Headers | undefined, clock: Pick<Clock, 'now'>): number {
  const written = headers?.get('retry-after') ?? '';
  const seconds = Number.parseFloat(written);
  const ms = /^\s*[\d.]+\s*$/.test(written) ? seconds * 1_000 : Date.parse(written) - clock.now();
  if (!Number.isFinite(ms)) return USUAL_WAIT_MS;
  return Math.min(LONGEST_WAIT_MS, Math.max(1, ms));
}
