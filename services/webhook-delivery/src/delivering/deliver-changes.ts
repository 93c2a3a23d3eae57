import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type { Client } from '@postroom/rpc/definition';
import type { DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import type { Change } from '@postroom/proto/postroom/v1/changes';
import { abortedByAny } from '@postroom/runtime/abort';
import type { Clock } from '@postroom/runtime/clock';
import type { createMakeAttempts } from './make-attempts.ts';
import type { ProgressStore } from './progress-store.ts';

export interface DeliverChangesDeps {
  progress: ProgressStore;
  changes: Pick<Client<ChangesServiceDefinition>, 'listChanges'>;
  deliver: ReturnType<typeof createMakeAttempts>;
  clock: Pick<Clock, 'date' | 'sleep'>;
  newDelivery(webhook: WebhookDocument, change: Change, now: Date): Omit<DeliveryDocument, 'workspaceId'> | undefined;
  /** Makes the retries that are due. */
  retry(webhook: WebhookDocument): Promise<void>;
}

const AT_ONCE = 64;
/** The clocks of those who make changes may be so much behind. A change of a moment before does no harm. */
const SLACK_MS = 10_000;
const NOT_YET_MS = 100;

/** Delivers the changes behind the cursor of an endpoint, page by page, and moves the cursor behind each page. */
export function createDeliverChanges({ progress, changes, deliver, clock, newDelivery, retry }: DeliverChangesDeps) {
  return async (workspaceId: string, webhookId: string, headOf: () => number, signal: AbortSignal): Promise<void> => {
    for (let seq = -1; !signal.aborted;) {
      const webhook = await progress.find(workspaceId, webhookId);
      if (webhook?.status !== 'enabled') return;
      seq = Math.max(seq, webhook.cursor);
      const request = { since: { $case: 'seq', value: seq } as const, limit: AT_ONCE };
      // Waiting deliveries are of changes before these, so an endpoint that catches up gets them first.
      if (seq < webhook.orderedUntil) await retry(webhook);
      const page = await changes.listChanges(request, { workspaceId, signal });
      const now = clock.date();
      // The cursor tells what was in the feed before the webhook; what comes into it late may be of a time long before.
      const since = webhook.createdAt.getTime() - SLACK_MS;
      const deliveries = page.changes
        .filter(({ createdAt }) => new Date(createdAt).getTime() >= since)
        .flatMap((change) => newDelivery(webhook, change, now) ?? [])
        .map((delivery) => ({ ...delivery, workspaceId }));
      await deliverAll(webhook, deliveries, signal);
      if (page.nextSeq > seq) await progress.advance(workspaceId, webhookId, page.nextSeq);
      seq = page.nextSeq;
      if (page.hasMore) continue;
      if (seq >= headOf()) return;
      // A change that is told of may not be in the pages yet, because these show only changes that a majority has.
      await clock.sleep(NOT_YET_MS, signal).catch(() => undefined);
    }
  };

  /** Those that are there already were tried before a crash, or by another process. */
  async function deliverAll(
    webhook: WebhookDocument,
    deliveries: readonly DeliveryDocument[],
    signal: AbortSignal,
  ): Promise<void> {
    if (deliveries.length === 0) return;
    const { workspaceId, _id: webhookId } = webhook;
    const known = await progress.known(
      workspaceId,
      deliveries.map(({ _id }) => _id),
    );
    const ids = new Set(known.map(({ _id }) => _id));
    for (const { nextAttemptAt } of known)
      if (nextAttemptAt) await deliver.raiseDue(workspaceId, webhookId, nextAttemptAt);
    const fresh = deliveries.filter(({ _id }) => !ids.has(_id));
    await begunInOrder(fresh, (delivery, either) => deliver.one(webhook, delivery, 'first', either), signal);
  }
}

/**
 * All are begun in their order; how many run at once is for the endpoint's own limit to say. Where one fails, none behind it
 * begins any more: an endpoint that is paused and enabled meanwhile would get those before the ones that it missed. Waits for all.
 */
export async function begunInOrder<T>(
  items: readonly T[],
  task: (item: T, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const failing = new AbortController();
  let failed: { error: unknown } | undefined;
  await abortedByAny([signal, failing.signal], (either) =>
    Promise.all(
      items.map((item) =>
        task(item, either).catch((error: unknown) => {
          failed ??= { error };
          failing.abort(error);
        }),
      ),
    ),
  );
  if (failed) throw failed.error;
}
