import { ApiError } from '@postroom/errors/api-error';
import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import type { Change, ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Call } from '@postroom/rpc/call';
import type { Client } from '@postroom/rpc/definition';
import type { Clock } from '@postroom/runtime/clock';
import type { DeliveryStore } from './delivery-store.ts';
import { newDelivery } from './new-delivery.ts';

export interface RecoverDeps {
  context: { clock: Pick<Clock, 'now' | 'date'> };
  deliveries: Pick<DeliveryStore, 'revive' | 'missing' | 'add' | 'tell'>;
  changes: Pick<Client<ChangesServiceDefinition>, 'listChanges'>;
}

type RecoverCall = Pick<Call, 'workspaceId' | 'deadline' | 'remainingMs' | 'requestId' | 'signal'>;

const AT_ONCE = 500;
/** An event may come into the feed so much later than others of its time. */
const LATE_MS = 10 * 60_000;
/** The clocks of two processes differ by so much at the most. */
const BETWEEN_CLOCKS_MS = 10_000;
/** The part of a call that is left for its answer. */
const RESERVE_MS = 3_000;

/**
 * Plans everything since then that was abandoned or never tried, and returns how many. A call that does not come to the end
 * in its time keeps what it planned, and its error tells the time from which the next call goes on.
 */
export async function recover(webhook: WebhookDocument, since: Date, call: RecoverCall, deps: RecoverDeps) {
  const { workspaceId } = call;
  const { deliveries, context } = deps;
  const now = context.clock.date();
  const isLate = () => context.clock.now() > call.deadline - RESERVE_MS;
  let planned = 0;
  try {
    for (let revived = AT_ONCE; revived === AT_ONCE;) {
      if (isLate()) throw tooLate(since, planned);
      revived = await deliveries.revive(workspaceId, webhook._id, { since, now, limit: AT_ONCE }, call);
      planned += revived;
    }
    let reached = since;
    for (let seq = await firstPosition(webhook, since, call, deps); ;) {
      const page = await deps.changes.listChanges({ since: { $case: 'seq', value: seq }, limit: AT_ONCE }, call);
      const wanted = page.changes.filter(
        (change) => change.seq <= webhook.cursor && new Date(change.createdAt) >= since,
      );
      const documents = wanted.flatMap((change) => newDelivery(webhook, change, now) ?? []);
      const missing = await deliveries.missing(workspaceId, documents, call);
      if (missing.length > 0)
        planned += await deliveries.add(
          workspaceId,
          missing.map((delivery) => ({ ...delivery, nextAttemptAt: now })),
        );
      // Changes behind the cursor are on their way anyway.
      if (!page.hasMore || page.nextSeq >= webhook.cursor) return planned;
      reached = timeBehind(page.changes, since);
      if (isLate()) throw tooLate(reached, planned);
      seq = page.nextSeq;
    }
  } finally {
    // Also where nothing was left to plan: a call before may have died between its plan and this.
    await deliveries.tell(workspaceId, webhook._id, now, call);
  }
}

/** The time from which a next call reads again: a little before the last change, and never before this call's own. */
function timeBehind(changes: readonly Pick<Change, 'createdAt'>[], since: Date): Date {
  const last = Math.max(since.getTime(), Date.parse(changes.at(-1)?.createdAt ?? since.toISOString()));
  return new Date(last - LATE_MS > since.getTime() ? last - LATE_MS : last);
}

/**
 * Halves the feed until it finds the position before the first change that came into it at this time. Changes have other
 * orders by the times at which they happened, and none comes before it happens.
 */
async function firstPosition(webhook: WebhookDocument, since: Date, call: RecoverCall, { changes }: RecoverDeps) {
  let [before, behind] = [0, webhook.cursor];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    const page = await changes.listChanges({ since: { $case: 'seq', value: middle }, limit: 1 }, call);
    const [change] = page.changes;
    const cameAt = Date.parse(change?.appendedAt ?? change?.createdAt ?? '');
    if (cameAt >= since.getTime() - BETWEEN_CLOCKS_MS) behind = middle;
    else before = middle;
  }
  return before;
}

function tooLate(reached: Date, planned: number): ApiError {
  const since = reached.toISOString();
  const message = `${planned} deliveries are planned, and more are left: call again with since ${since}.`;
  return new ApiError('QUERY_TIMEOUT', { message, details: { since, deliveries: planned } });
}
