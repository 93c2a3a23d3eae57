import { catalogue, type ErrorCode } from '@postroom/errors/catalogue';
import type { Answer, Json } from '../../support/client.ts';

/** The contract allows ten seconds; the half second is for the network. */
const LONGEST_ANSWER_MS = 10_500;
const MINUTE_SECONDS = 60;

/** Names the fault of an answer by the contract, which holds during outages too; undefined if there is none. */
export function faultOf(answer: Answer<Json>, ms: number): string | undefined {
  if (ms > LONGEST_ANSWER_MS) return `answered after ${Math.round(ms)} ms`;
  return faultOfBody(answer) ?? faultOfLimits(answer);
}

function faultOfBody({ status, body }: Answer<Json>): string | undefined {
  if (status < 400) return undefined;
  const known = catalogue[body?.code as ErrorCode];
  if (!known) return `${status} with the code ${String(body?.code)}`;
  if (known.http !== status) return `${body.code} with the status ${status}`;
  return typeof body.error === 'string' ? undefined : `${body.code} without a sentence`;
}

function faultOfLimits({ headers, status }: Answer<Json>): string | undefined {
  // The gateway refused the call before it checked the key.
  if (status === 500 && headers.has('retry-after')) return undefined;
  const value = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? NaN);
  const [limit, remaining, reset] = [value('limit'), value('remaining'), value('reset')];
  const [quota, left, quotaReset] = [value('quota'), value('quota-remaining'), value('quota-reset')];
  const now = Date.now() / 1000;
  const sane =
    [limit, remaining, reset, quota, left, quotaReset].every((number) => Number.isInteger(number) && number >= 0) &&
    remaining <= limit &&
    left <= quota &&
    reset <= now + MINUTE_SECONDS + 2 &&
    reset >= now - MINUTE_SECONDS &&
    quotaReset >= now - MINUTE_SECONDS;
  return sane ? undefined : `limits that cannot be: ${[limit, remaining, reset, quota, left, quotaReset].join(' ')}`;
}
