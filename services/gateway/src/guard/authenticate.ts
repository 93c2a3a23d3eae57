import { hash } from 'node:crypto';
import { ApiError } from '@postroom/errors/api-error';
import { callerFrom, type Known } from '../caller.ts';
import type { Exchange, Gateway } from '../exchange.ts';

// Anything else is refused here: a malformed key must not cost anyone a lookup. HTTP's schemes have no case, keys do.
const BEARER = /^[Bb][Ee][Aa][Rr][Ee][Rr] +(mk_[A-Za-z0-9]{40}) *$/;

export function authenticate(exchange: Exchange, gateway: Gateway): Promise<undefined> | undefined {
  const secret = BEARER.exec(exchange.request.headers.authorization ?? '')?.[1];
  if (!secret) throw new ApiError('INVALID_API_KEY');
  const found = gateway.keys.resolve(hash('sha256', secret, 'hex'), exchange.requestId);
  if (found instanceof Promise) return found.then((known) => judge(known, exchange, gateway));
  return judge(found, exchange, gateway);
}

function judge(known: Known | undefined, exchange: Exchange, gateway: Gateway): undefined {
  if (!known?.key || !known.workspace) throw new ApiError('INVALID_API_KEY');
  const { key, workspace } = known;
  const now = gateway.context.clock.now();
  if (key.revokedAt !== undefined) throw new ApiError('API_KEY_REVOKED');
  if (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= now) {
    throw new ApiError('API_KEY_EXPIRED', { details: { expiredAt: key.expiresAt } });
  }
  gateway.connections.markAuthenticated(exchange.request.socket);
  exchange.caller = callerFrom(key, workspace, now);
}
