import { hash, timingSafeEqual } from 'node:crypto';
import type { Metadata } from '@grpc/grpc-js';
import { ApiError } from '@postroom/errors/api-error';
import type { Implementation } from './definition.ts';

const TOKEN_KEY = 'authorization';

/** The same service, for those alone who bring the token. */
export function withToken(implementation: Implementation, token: string): Implementation {
  return { ...implementation, token };
}

export function bringToken(metadata: Metadata, token: string | undefined): void {
  if (token) metadata.set(TOKEN_KEY, `Bearer ${token}`);
}

/** Throws where the door has a token and the caller has not. Hashes are compared, so that time tells nothing of it. */
export function requireToken(metadata: Metadata, token: string | undefined): void {
  if (token === undefined) return;
  const brought = String(metadata.get(TOKEN_KEY)[0] ?? '');
  if (timingSafeEqual(digest(brought), digest(`Bearer ${token}`))) return;
  throw new ApiError('INVALID_API_KEY', {
    message: 'This door is opened by a token, and the one that came is not it.',
  });
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
