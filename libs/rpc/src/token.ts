import { hash, timingSafeEqual } from 'node:crypto';
import type { Metadata } from '@grpc/grpc-js';
import { ApiError } from '@postroom/errors/api-error';
import type { ServiceContext } from '@postroom/runtime/service';

/** The present token. */
export interface Token {
  toBring(): string;
  taken(): readonly string[];
}

const TOKEN_KEY = 'authorization';
const SCHEME = 'Bearer ';
/** Pods see a changed file at different moments, so the former token is accepted until every server has seen the change. */
const BRINGS_FORMER_MS = 120_000;
/** Until the last caller brings the new one, and for a while more. */
const TAKES_FORMER_MS = 300_000;

/** The token of a variable. It changes with its file. */
export function changingToken(
  variable: string,
  text: string,
  { changes, clock }: Pick<ServiceContext, 'changes' | 'clock'>,
): Token {
  let current = text;
  let formers: { text: string; changedAt: number }[] = [];
  const since = (ms: number) => formers.filter(({ changedAt }) => clock.now() - changedAt < ms);
  const within = (ms: number) => since(ms).map((former) => former.text);
  changes.on(variable, (changed) => {
    // Another change may come before everybody has seen the one before.
    formers = [...since(TAKES_FORMER_MS), { text: current, changedAt: clock.now() }];
    current = changed;
  });
  return {
    toBring: () => within(BRINGS_FORMER_MS)[0] ?? current,
    taken: () => [current, ...within(TAKES_FORMER_MS)],
  };
}

export function asToken(token: string | Token): Token {
  return typeof token === 'string' ? { toBring: () => token, taken: () => [token] } : token;
}

export function bringToken(metadata: Metadata, token: Token | undefined): void {
  if (token) metadata.set(TOKEN_KEY, `${SCHEME}${token.toBring()}`);
}

/** Hashes are compared, so that the time reveals nothing. */
export function isTaken(brought: string, token: Token): boolean {
  return token.taken().some((text) => timingSafeEqual(digest(brought), digest(text)));
}

/** Throws when the token of the caller is missing or wrong. */
export function requireToken(metadata: Metadata, token: Token | undefined): void {
  if (token === undefined) return;
  const brought = String(metadata.get(TOKEN_KEY)[0] ?? '');
  if (brought.startsWith(SCHEME) && isTaken(brought.slice(SCHEME.length), token)) return;
  throw new ApiError('INVALID_API_KEY', {
    message: 'The token of this call is missing or wrong. Send the token that this service was started with.',
  });
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
