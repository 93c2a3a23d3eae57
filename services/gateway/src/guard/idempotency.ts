import { hash } from 'node:crypto';
import { bounds } from '@postroom/contract/bounds';
import { codePoints } from '@postroom/contract/text';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import type { StoredAnswer } from '@postroom/mail-store/documents/gateway';
import type { CallContext } from '@postroom/rpc/call';
import { isFinal, type Answer } from '../response/answer.ts';
import { callerOf, isRoute, type Exchange, type Gateway } from './exchange.ts';
import { fingerprint } from './idempotency-keys/fingerprint.ts';
import type { Attempt } from './idempotency-keys/idempotency-store.ts';
import { withOpenSecret, withSealedSecret } from './idempotency-keys/sealed-secret.ts';
import type { Route } from '../routes/table.ts';

const { keyLength, keptMs } = bounds.idempotency;
/** Longer than any call may take, shorter than the half minute after which a crashed call's key is usable again. */
const LEASE_MS = 20_000;
/** The outcome may be open for longer than a call. The next attempt asks again by the operation's id. */
const STILL_OPEN = new Set([408, 409]);

/** With an Idempotency-Key the first call runs and is remembered; the same call again gets the same answer. */
export async function idempotency(exchange: Exchange, gateway: Gateway): Promise<Answer | undefined> {
  const { request, endpoint } = exchange;
  const key = request.headers['idempotency-key'];
  if (!isRoute(endpoint) || !endpoint.idempotent || typeof key !== 'string' || key === '') return undefined;
  if (isTooLong(key)) refuse('Idempotency-Key', `must have at most ${keyLength} characters`);

  const { clock } = gateway.context;
  const attempt = attemptOf(exchange, endpoint, key, gateway);
  const remainingMs = () => Math.max(1, exchange.deadline - clock.now());
  // It is unknown before the key is read.
  exchange.mayHaveRun = true;
  const claim = await gateway.idempotency.claim(attempt.workspaceId, attempt, { now: clock.date(), remainingMs });
  if (claim.outcome === 'answered') return replay(claim.answer, exchange, endpoint, gateway);
  if (claim.outcome === 'other-request') throw conflict('This Idempotency-Key was used for another request body.');
  if (claim.outcome === 'in-progress') throw conflict('The first call with this Idempotency-Key is still running.');
  exchange.operationId = claim.operationId;
  exchange.mayHaveRun = claim.operationId !== attempt.operationId;
  exchange.afterwards.push((answer) => keep(answer, attempt, exchange, endpoint, gateway));
  return undefined;
}

// Node reads the bytes of a header as latin1, so one character of UTF-8 comes as several.
function isTooLong(key: string): boolean {
  return key.length > keyLength && codePoints(Buffer.from(key, 'latin1').toString()) > keyLength;
}

function attemptOf(exchange: Exchange, route: Route, key: string, { context: { clock, ids } }: Gateway): Attempt {
  const { workspaceId } = callerOf(exchange);
  const { method, path } = route;
  const now = clock.now();
  return {
    _id: hash('sha256', JSON.stringify([workspaceId, method, path, exchange.params, key]), 'hex'),
    workspaceId,
    fingerprint: fingerprint(exchange.body),
    attemptId: ids('try'),
    operationId: ids('op'),
    leaseUntil: new Date(now + LEASE_MS),
    expiresAt: new Date(now + keptMs),
  };
}

async function keep(
  answer: Answer,
  attempt: Attempt,
  exchange: Exchange,
  route: Route,
  { idempotency, services }: Gateway,
): Promise<Answer> {
  const { status } = answer;
  if (route.outcomeMayBeOpen && STILL_OPEN.has(status)) await idempotency.leaveOpen(attempt.workspaceId, attempt);
  else if (!isFinal(status)) await idempotency.release(attempt.workspaceId, attempt);
  else {
    const { secretField } = route;
    const text = answer.body?.toString('utf8') ?? '';
    const context = contextOf(exchange);
    const body = secretField ? await withSealedSecret(text, secretField, services.webhookDelivery, context) : text;
    const stored: StoredAnswer = { status, body, units: answer.units ?? 1 };
    await idempotency.complete(attempt.workspaceId, attempt, stored);
  }
  return answer;
}

async function replay(
  { status, body, units }: StoredAnswer,
  exchange: Exchange,
  { secretField }: Route,
  { services }: Gateway,
): Promise<Answer> {
  const context = contextOf(exchange);
  const text = secretField ? await withOpenSecret(body, secretField, services.webhookDelivery, context) : body;
  return {
    status,
    body: text === '' ? undefined : Buffer.from(text),
    headers: { 'Idempotency-Replayed': 'true' },
    units,
  };
}

function contextOf(exchange: Exchange): CallContext {
  const { requestId, deadline, traceparent } = exchange;
  return { workspaceId: callerOf(exchange).workspaceId, requestId, deadline, traceparent };
}

function conflict(message: string): ApiError {
  return new ApiError('CONFLICT', { message });
}
