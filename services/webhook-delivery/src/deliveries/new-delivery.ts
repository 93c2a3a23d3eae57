import { isOneOf, WEBHOOK_EVENTS, type WebhookEvent } from '@postroom/contract/lists';
import { DELIVERY_KEPT_MS } from '@postroom/mail-store/kept-for';
import type { DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import type { Change } from '@postroom/proto/postroom/v1/changes';
import { deterministicId } from '@postroom/runtime/deterministic-id';

/** The delivery of a change to a webhook, before its first attempt. Undefined where the webhook does not ask for it. */
export function newDelivery(
  { _id: webhookId, events }: Pick<WebhookDocument, '_id' | 'events'>,
  { id, seq, event, createdAt, data }: Change,
  now: Date,
): Omit<DeliveryDocument, 'workspaceId'> | undefined {
  if (!isOneOf(WEBHOOK_EVENTS, event) || !isAskedFor(events, event)) return undefined;
  return {
    _id: deterministicId('dlv', webhookId, id),
    webhookId,
    changeId: id,
    seq,
    event,
    data: JSON.parse(data) as Record<string, unknown>,
    changedAt: new Date(createdAt),
    status: 'pending',
    attempts: [],
    failures: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + DELIVERY_KEPT_MS),
  };
}

const isAskedFor = (events: readonly WebhookEvent[], event: WebhookEvent): boolean =>
  events.length === 0 || events.includes(event);
