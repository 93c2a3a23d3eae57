import { type DeliveryStatus, DELIVERY_STATUSES, isOneOf, mustBeOneOf } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import type { DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import type { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import type {
  Delivery,
  ListDeliveriesRequest,
  WebhookDeliveryServiceDefinition,
} from '@postroom/proto/postroom/v1/webhook_delivery';
import type { Call } from '@postroom/rpc/call';
import type { Client, Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { DeliveryStore } from './delivery-store.ts';
import { readListCursor, writeListCursor } from './list-cursor.ts';
import { recover } from './recover.ts';

export { newDelivery } from './new-delivery.ts';
export type { DeliveryStore } from './delivery-store.ts';

export interface DeliveryHandlerDeps {
  context: Pick<ServiceContext, 'clock'>;
  deliveries: DeliveryStore;
  changes: Pick<Client<ChangesServiceDefinition>, 'listChanges'>;
  /** WEBHOOK_NOT_FOUND where there is none. */
  webhookOf(workspaceId: string, webhookId: string, budget: TimeBudget): Promise<WebhookDocument>;
}

const MOST = 200;

export function deliveryHandlers(deps: DeliveryHandlerDeps) {
  const { deliveries, context } = deps;
  return {
    listDeliveries: (request, call) => list(request, call, deps),

    replayDelivery: async ({ webhookId, deliveryId }, call) => {
      const { workspaceId } = call;
      await deps.webhookOf(workspaceId, webhookId, call);
      const now = context.clock.date();
      const delivery = await deliveries.askReplay(workspaceId, webhookId, deliveryId, now, call);
      if (!delivery) throw new ApiError('DELIVERY_NOT_FOUND');
      await deliveries.tell(workspaceId, webhookId, now, call);
      return toMessageDelivery(delivery);
    },

    recoverDeliveries: async ({ webhookId, since }, call) => {
      const { workspaceId } = call;
      const webhook = await deps.webhookOf(workspaceId, webhookId, call);
      return { deliveries: await recover(webhook, dateIn(since), call, deps) };
    },
  } satisfies Partial<Handlers<WebhookDeliveryServiceDefinition>>;
}

async function list(
  { webhookId, limit, cursor, status }: ListDeliveriesRequest,
  call: Call,
  deps: DeliveryHandlerDeps,
) {
  const { workspaceId } = call;
  const asked = statusIn(status);
  const of = `${webhookId} ${asked ?? ''}`;
  const after = cursor === undefined ? undefined : readListCursor(of, cursor);
  await deps.webhookOf(workspaceId, webhookId, call);
  const most = Math.min(Math.max(1, limit), MOST);
  const listing = { webhookId, status: asked, after, limit: most + 1, now: deps.context.clock.date() };
  const found = await deps.deliveries.list(workspaceId, listing, call);
  const items = found.slice(0, most);
  const last = items.at(-1);
  const hasMore = found.length > most;
  return {
    items: items.map(toMessageDelivery),
    nextCursor: hasMore && last ? writeListCursor(of, { createdAt: last.createdAt, id: last._id }) : undefined,
    hasMore,
  };
}

function dateIn(text: string): Date {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? refuse('since', 'must be a date-time') : date;
}

function statusIn(status: string | undefined): DeliveryStatus | undefined {
  if (status === undefined || isOneOf(DELIVERY_STATUSES, status)) return status;
  return refuse('status', mustBeOneOf(DELIVERY_STATUSES));
}

function toMessageDelivery(delivery: DeliveryDocument): Delivery {
  return {
    id: delivery._id,
    changeId: delivery.changeId,
    event: delivery.event,
    status: delivery.status,
    attempts: delivery.attempts.map(({ at, status, durationMs, error }) => ({
      at: at.toISOString(),
      status: status ?? undefined,
      durationMs,
      error: error ?? undefined,
    })),
    nextAttemptAt: (delivery.replayAt ?? delivery.nextAttemptAt)?.toISOString(),
    createdAt: delivery.createdAt.toISOString(),
  };
}
