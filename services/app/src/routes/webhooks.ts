import { listDeliveriesQuery, recoverRequest, toJsonDelivery } from '@postroom/resources/delivery';
import { createWebhookRequest, toJsonWebhook, updateWebhookRequest } from '@postroom/resources/webhook';
import type { DeliveryAnswer, PageOf } from '../answers/answers.ts';
import { defineAppRoute } from './route.ts';
import type { AppServices } from './services.ts';

const feature = 'webhooks';

/** The routes exist only where webhooks are open, and then the service is named. */
function open({ webhookDelivery }: AppServices): NonNullable<AppServices['webhookDelivery']> {
  if (webhookDelivery) return webhookDelivery;
  throw new Error('WEBHOOK_DELIVERY_ADDR is missing where webhooks are open');
}

export const webhookAppRoutes = [
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/webhooks',
    needs: 'admin',
    feature,
    call: async (_input, services, visit) => ({
      items: (await open(services).listWebhooks({}, visit)).items.map(toJsonWebhook),
    }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/webhooks',
    needs: 'admin',
    feature,
    body: createWebhookRequest,
    status: 201,
    call: async ({ body: { url, events = [], description } }, services, visit) => {
      const request = { url, events, description: description ?? undefined };
      const { webhook, secret } = await open(services).createWebhook(request, visit);
      return { webhook: toJsonWebhook(webhook), secret };
    },
  }),
  defineAppRoute({
    method: 'PATCH',
    path: '/workspaces/{workspaceId}/webhooks/{webhookId}',
    needs: 'admin',
    feature,
    body: updateWebhookRequest,
    call: async ({ params: { webhookId }, body: { events, description, ...fields } }, services, visit) => {
      const change = {
        ...fields,
        events: events && { items: events },
        description: description ?? undefined,
        clearDescription: description === null,
      };
      return { webhook: toJsonWebhook(await open(services).updateWebhook({ webhookId, ...change }, visit)) };
    },
  }),
  defineAppRoute({
    method: 'DELETE',
    path: '/workspaces/{workspaceId}/webhooks/{webhookId}',
    needs: 'admin',
    feature,
    status: 204,
    call: ({ params: { webhookId } }, services, visit) => open(services).deleteWebhook({ webhookId }, visit),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/webhooks/{webhookId}/secret',
    needs: 'admin',
    feature,
    call: async ({ params: { webhookId } }, services, visit) => {
      const { secret } = await open(services).rotateWebhookSecret({ webhookId }, visit);
      return { secret };
    },
  }),
  defineAppRoute({
    method: 'GET',
    path: '/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries',
    needs: 'admin',
    feature,
    query: listDeliveriesQuery,
    call: async ({ params: { webhookId }, query }, services, visit): Promise<PageOf<DeliveryAnswer>> => {
      const { items, nextCursor = null, hasMore } = await open(services).listDeliveries({ webhookId, ...query }, visit);
      return { items: items.map(toJsonDelivery), nextCursor, hasMore };
    },
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
    needs: 'admin',
    feature,
    status: 202,
    call: async ({ params: { webhookId, deliveryId } }, services, visit) => ({
      delivery: toJsonDelivery(await open(services).replayDelivery({ webhookId, deliveryId }, visit)),
    }),
  }),
  defineAppRoute({
    method: 'POST',
    path: '/workspaces/{workspaceId}/webhooks/{webhookId}/recover',
    needs: 'admin',
    feature,
    body: recoverRequest,
    status: 202,
    call: async ({ params: { webhookId }, body }, services, visit) => {
      const { deliveries } = await open(services).recoverDeliveries({ webhookId, ...body }, visit);
      return { deliveries };
    },
  }),
];
