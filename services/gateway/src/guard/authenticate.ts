import { hash } from 'node:crypto';
import { ApiError } from '@postroom/errors/api-error';
import type { Caller } from '../keys/keys.ts';
import type { Exchange, Gateway } from './exchange.ts';

// Anything else is refused here: a malformed key must not cost anyone a lookup. HTTP's schemes have no case, keys do.
const BEARER = /^[Bb][Ee][Aa][Rr][Ee][Rr] +(mk_[A-Za-z0-9]{40}) *$/;

/** An access token is for the MCP server alone, which brings it here. */
const ACCESS_TOKEN = /^[Bb][Ee][Aa][Rr][Ee][Rr] +(mt_[A-Za-z0-9_-]{43}) *$/;

export function authenticate(exchange: Exchange, gateway: Gateway): Promise<undefined> | undefined {
  const found = callerIn(exchange, gateway);
  if (found instanceof Promise) return found.then((caller) => accept(caller, exchange, gateway));
  return accept(found, exchange, gateway);
}

function callerIn({ request, requestId }: Exchange, { keys, mcp }: Gateway): Promise<Caller> | Caller {
  const authorization = request.headers.authorization ?? '';
  const secret = BEARER.exec(authorization)?.[1];
  if (secret) return keys.callerOf(hash('sha256', secret, 'hex'), requestId);
  const token = mcp.isCalling(request) ? ACCESS_TOKEN.exec(authorization)?.[1] : undefined;
  if (token) return keys.clientOf(hash('sha256', token, 'hex'), requestId);
  throw new ApiError('INVALID_API_KEY');
}

function accept(caller: Caller, exchange: Exchange, gateway: Gateway): undefined {
  gateway.connections.markAuthenticated(exchange.request.socket);
  exchange.caller = caller;
}
