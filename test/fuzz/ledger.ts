import type { Answer, Json } from '../support/client.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { expectSame } from './model.ts';
import type { Sent } from './send.ts';

const PER_MINUTE = 1_000;
const PER_MONTH = 1_000_000;
const sending = new Set(routes.filter(({ permission }) => permission).map(({ operationId }) => operationId));

/** Counts the requests and units of one workspace, and compares them with the rate limit headers of each answer. */
export function createLedger() {
  let [requests, units] = [0, 0];
  let resetAt: string | null = null;
  return {
    follow(sent: Sent, answer: Answer<Json>): void {
      if (answer.status === 401) return;
      const { headers } = answer;
      // A new reset time means a new minute, whose count starts at zero.
      if (headers.get('x-ratelimit-reset') !== resetAt) requests = 0;
      resetAt = headers.get('x-ratelimit-reset');
      requests += 1;
      units += unitsOf(sent, answer);
      const left = ['remaining', 'quota-remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
      expectSame('what is left of the minute and the month', left, [PER_MINUTE - requests, PER_MONTH - units]);
    },
  };
}

/** Quota units of a call, according to the contract. */
function unitsOf({ operationId }: Sent, { status, body }: Answer<Json>): number {
  if (status === 403 && (body.code === 'INSUFFICIENT_SCOPE' || sending.has(operationId))) return 0;
  if (operationId !== 'bulkEmails' || status !== 200) return 1;
  const { updatedIds, unchangedIds, deletedIds, noTrashIds, emailIds } = body;
  const processed = [updatedIds, unchangedIds, deletedIds, noTrashIds, emailIds].flatMap((ids) => ids ?? []);
  return Math.max(1, processed.length);
}
