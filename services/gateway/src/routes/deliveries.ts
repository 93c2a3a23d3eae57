import {
  deliveryPage,
  deliveryReply,
  listDeliveriesQuery,
  recoverReply,
  recoverRequest,
  toJsonDelivery,
} from '@postroom/resources/delivery';
import { defineRoute } from './route.ts';

const tag = 'Webhooks';
const feature = 'webhooks';

export const deliveryRoutes = [
  defineRoute({
    method: 'GET',
    path: '/webhooks/{webhookId}/deliveries',
    operationId: 'listDeliveries',
    tag,
    feature,
    summary: 'The deliveries of a webhook, the newest first',
    description: 'Deliveries are kept for 30 days.',
    scope: 'read',
    query: listDeliveriesQuery,
    reply: { status: 200, schema: deliveryPage, description: 'A page of deliveries with their attempts.' },
    errors: ['WEBHOOK_NOT_FOUND'],
    call: async ({ params, query }, { webhookDelivery }, context) => {
      const page = await webhookDelivery.listDeliveries({ ...params, ...query }, context);
      return { items: page.items.map(toJsonDelivery), nextCursor: page.nextCursor ?? null, hasMore: page.hasMore };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
    operationId: 'replayDelivery',
    tag,
    feature,
    summary: 'Deliver once more',
    description:
      'Makes one attempt, to a paused or disabled webhook too. A failure leaves a delivered delivery delivered, and never counts towards disabling.',
    scope: 'write',
    idempotent: true,
    reply: { status: 202, schema: deliveryReply, description: 'The delivery, before the attempt.' },
    errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
    call: async ({ params }, { webhookDelivery }, context) => ({
      delivery: toJsonDelivery(await webhookDelivery.replayDelivery(params, context)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/{webhookId}/recover',
    operationId: 'recoverDeliveries',
    tag,
    feature,
    summary: 'Deliver everything since a moment that was not delivered',
    description: 'Counts what was abandoned or never tried, as far back as the feed of changes reaches.',
    scope: 'write',
    idempotent: true,
    body: recoverRequest,
    reply: { status: 202, schema: recoverReply, description: 'The deliveries are planned.' },
    errors: ['WEBHOOK_NOT_FOUND'],
    call: async ({ params, body }, { webhookDelivery }, context) => {
      const { deliveries } = await webhookDelivery.recoverDeliveries({ ...params, ...body }, context);
      return { deliveries };
    },
  }),
];
