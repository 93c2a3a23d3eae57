import { sendsDrafts } from '@postroom/contract/sending-levels';
import { ApiError } from '@postroom/errors/api-error';
import type { Caller } from '../keys/keys.ts';
import { callerOf, isRoute, type Exchange } from './exchange.ts';
import type { Route } from '../routes/table.ts';

export function authorize(exchange: Exchange): void {
  const { endpoint } = exchange;
  if (!isRoute(endpoint)) return;
  const caller = callerOf(exchange);
  if (lacksScope(endpoint, caller)) {
    throw new ApiError('INSUFFICIENT_SCOPE', { details: { required: endpoint.scope, granted: [...caller.scopes] } });
  }
  if (lacksPermission(endpoint, caller)) throw new ApiError('OUTBOUND_SEND_NOT_ALLOWED');
}

export function lacksScope(route: Route, caller: Caller | undefined): boolean {
  return !route.isDiscovery && !caller?.scopes.includes(route.scope);
}

export function lacksPermission(route: Route, caller: Caller | undefined): boolean {
  if (route.permission === 'agentSend') return !caller || !sendsDrafts(caller.agent.level);
  return route.permission === 'send' && !caller?.maySend;
}
