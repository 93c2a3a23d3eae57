import { bounds } from '@postroom/contract/bounds';
import type { Actor } from '@postroom/rpc/actor';
import { json, type Answer } from '../response/answer.ts';
import type { Route, RouteContext } from '../routes/table.ts';
import { addressOf, callerOf, type Exchange, type Gateway } from './exchange.ts';

/** Makes a call of the route, once its workspace has one call less under way than it may have. */
export function withPermit<T>(
  exchange: Exchange,
  endpoint: Route,
  gateway: Gateway,
  call: (context: RouteContext) => Promise<T>,
): Promise<T> {
  const { workspaceId, maySend, planIsPaid, scopes, agent } = callerOf(exchange);
  const { requestId, deadline, traceparent, request } = exchange;
  const operationId = exchange.operationId ?? (endpoint.method === 'POST' ? gateway.context.ids('op') : undefined);
  const lastEventId = request.headers['last-event-id']?.toString();
  const actor = endpoint.method === 'GET' ? undefined : actorOf(exchange, gateway);
  const asked = { workspaceId, requestId, operationId, deadline, traceparent, actor };
  const pageBytes = gateway.mcp.isCalling(request) ? bounds.mcp.pageBytes : undefined;
  const context: RouteContext = { ...asked, maySend, planIsPaid, scopes, agent, lastEventId, pageBytes };
  const body = exchange.validated && 'input' in exchange.validated ? exchange.validated.input.body : undefined;
  const owner = endpoint.waitsFor ? `${workspaceId} ${endpoint.waitsFor(body)}` : workspaceId;
  return gateway.calls.run(owner, () => call(context));
}

/** The audit log shows a change under the name of its key, or of the client that a person let in. */
function actorOf(exchange: Exchange, gateway: Gateway): Actor {
  const { kind, id, name } = callerOf(exchange).agent;
  return { kind: kind === 'key' ? 'key' : 'client', id, name, address: addressOf(exchange.request, gateway) };
}

export function toAnswer({ reply: { status }, units }: Route, reply: unknown): Answer {
  if (status === 204) return { status };
  if (Buffer.isBuffer(reply)) return { status, body: reply };
  const answer = json(status, reply);
  return units ? { ...answer, units: units.used(reply) } : answer;
}
