import { callerOf, isDiscovery, isRoute, type Exchange, type Gateway } from './exchange.ts';
import { limitRefusal } from '../limits/limit-refusal.ts';
import { lacksPermission, lacksScope } from './authorize.ts';

/** Counts the request in the minute. When no refusal is possible in between, the quota is charged in the same round trip. */
export async function rateLimit(exchange: Exchange, { limiter }: Gateway): Promise<undefined> {
  if (isDiscovery(exchange)) return;
  const { workspaceId, allowance } = callerOf(exchange);
  const atOnce = chargesAtOnce(exchange);
  const verdict = atOnce
    ? await limiter.admitAndCharge(workspaceId, allowance, 1)
    : await limiter.admit(workspaceId, allowance);
  exchange.verdict = verdict;
  if (!verdict.allowed) throw limitRefusal(verdict);
  if (atOnce) exchange.reserved = 1;
}

function chargesAtOnce({ endpoint, request, intake, caller }: Exchange): boolean {
  if (intake || request.headers.expect !== undefined) return false;
  if (!isRoute(endpoint)) return true;
  return endpoint.bodyIsOptional && !lacksScope(endpoint, caller) && !lacksPermission(endpoint, caller);
}
