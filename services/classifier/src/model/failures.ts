import type { Clock } from '@postroom/runtime/clock';
import type { ModelFailure } from './availability.ts';

/** It did not answer in time, or stopped in the middle of its answer. */
export class TooSlow extends Error {}

/** The answer does not end within its bound. */
export class TooLong extends Error {}

/** The endpoint answered, and not as a model does. */
export class NoAnswer extends Error {}

/** The endpoint answered with an error status. */
export class EndpointError extends Error {
  readonly status: number;
  readonly headers: Headers;
  constructor({ status, headers }: Response) {
    super(`the model's endpoint answered ${status}`);
    this.status = status;
    this.headers = headers;
  }
}

const TOO_MANY_REQUESTS = 429;
const USUAL_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 10 * 60_000;

/** Reads the facts about the model from a failed call. */
export function readFailure(error: unknown, clock: Pick<Clock, 'now'>): ModelFailure {
  if (!(error instanceof EndpointError && error.status === TOO_MANY_REQUESTS)) return { isBusy: false };
  return { isBusy: true, retryAfterMs: waitOf(error.headers, clock) };
}

/** In seconds, or as a date. */
function waitOf(headers: Headers, clock: Pick<Clock, 'now'>): number {
  const written = headers.get('retry-after') ?? '';
  const seconds = Number.parseFloat(written);
  const ms = /^\s*[\d.]+\s*$/.test(written) ? seconds * 1_000 : Date.parse(written) - clock.now();
  if (!Number.isFinite(ms)) return USUAL_WAIT_MS;
  return Math.min(LONGEST_WAIT_MS, Math.max(1, ms));
}
