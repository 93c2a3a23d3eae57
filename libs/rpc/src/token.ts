import { hash, timingSafeEqual } from 'node:crypto';
import type { Metadata } from '@grpc/grpc-js';
import { ApiError } from '@postroom/errors/api-error';
import type { ServiceContext } from '@postroom/runtime/service';

/** What opens a door, as it is now. */
export interface Token {
  toBring(): string;
  taken(): readonly string[];
}

const TOKEN_KEY = 'authorization';
/** No two pods see a changed file at the same moment: callers bring what it said before until every door has seen it. */
const BRINGS_FORMER_MS = 120_000;
/** Until the last caller brings the new one, and for a while more. */
const TAKES_FORMER_MS = 300_000;

/** The token of a variable, which is another once its file says so. */
export function changingToken(
  variable: string,
  text: string,
  { changes, clock }: Pick<ServiceContext, 'changes' | 'clock'>,
): Token {
  let current = text;
  let former: { text: string; changedAt: number } | undefined;
  changes.on(variable, (changed) => {
    former = { text: current, changedAt: clock.now() };
    current = changed;
  });
  const within = (ms: number) => (former && clock.now() - former.changedAt < ms ? [former.text] : []);
  return {
    toBring: () => within(BRINGS_FORMER_MS)[0] ?? current,
    taken: () => [current, ...within(TAKES_FORMER_MS)],
  };
}

export function asToken(token: string | Token): Token {
  return typeof token === 'string' ? { toBring: () => token, taken: () => [token] } : token;
}

export function bringToken(metadata: Metadata, token: Token | undefined): void {
  if (token) metadata.set(TOKEN_KEY, `Bearer ${token.toBring()}`);
}

/** Throws where the door has a token and the caller has not. Hashes are compared, so that time tells nothing of it. */
export function requireToken(metadata: Metadata, token: Token | undefined): void {
  if (token === undefined) return;
  const brought = digest(String(metadata.get(TOKEN_KEY)[0] ?? ''));
  if (token.taken().some((text) => timingSafeEqual(brought, digest(`Bearer ${text}`)))) return;
  throw new ApiError('INVALID_API_KEY', {
    message: 'This door is opened by a token, and the one that came is not it.',
  });
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
