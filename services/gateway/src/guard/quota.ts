import type { Answer } from '../response/answer.ts';
import { callerOf, isDiscovery, isRoute, type Exchange, type Gateway } from './exchange.ts';
import { limitRefusal } from '../limits/limit-refusal.ts';
import { validated } from './validate.ts';

/** Charges the month: one unit, or the most that a bulk body may cost. The unused part is refunded. */
export async function quota(exchange: Exchange, { limiter }: Gateway): Promise<undefined> {
  const { workspaceId, allowance } = callerOf(exchange);
  const units = unitsToReserve(exchange);
  const isCharged = exchange.reserved > 0 || isDiscovery(exchange);
  const verdict = isCharged ? undefined : await limiter.charge(workspaceId, allowance, units);
  if (verdict) exchange.verdict = verdict;
  // A body that could not be read costs its unit if there is one left, and is refused as what it is if there is none.
  if (exchange.unreadable) throw exchange.unreadable;
  if (!verdict) return;
  if (!verdict.allowed) throw limitRefusal(verdict);
  exchange.reserved = units;
  if (units === 1) return;
  exchange.afterwards.push(async (answer: Answer) => {
    const used = Math.min(units, Math.max(1, answer.units ?? 1));
    if (used < units) {
      exchange.verdict = await limiter.refund(workspaceId, allowance, units - used, verdict.month.resetAt);
    }
    return answer;
  });
}

function unitsToReserve(exchange: Exchange): number {
  const { endpoint } = exchange;
  if (!isRoute(endpoint) || !endpoint.units || exchange.unreadable) return 1;
  const result = validated(exchange, endpoint);
  return 'input' in result ? Math.max(1, endpoint.units.reserve(result.input.body)) : 1;
}
