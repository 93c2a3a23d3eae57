import { hash } from 'node:crypto';
import { ApiError } from '@postroom/errors/api-error';
import type { Caller } from '../keys/keys.ts';
import type { Exchange, Gateway } from './exchange.ts';

// Anything else is refused here: a malformed key must not cost anyone a lookup. HTTP's schemes have no case, keys do.
const BEARER = /^[Bb][Ee][Aa][Rr][Ee][Rr] +(mk_[A-Za-z0-9]{40}) *$/;

export function authenticate(exchange: Exchange, gateway: Gateway): Promise<undefined> | undefined {
  const secret = BEARER.exec(exchange.request.headers.authorization ?? '')?.[1];
  if (!secret) throw new ApiError('INVALID_API_KEY');
  const found = gateway.keys.callerOf(hash('sha256', secret, 'hex'), exchange.requestId);
  if (found instanceof Promise) return found.then((caller) => accept(caller, exchange, gateway));
  return accept(found, exchange, gateway);
}

function accept(caller: Caller, exchange: Exchange, gateway: Gateway): undefined {
  gateway.connections.markAuthenticated(exchange.request.socket);
  exchange.caller = caller;
}
