import { bounds } from '@postroom/contract/bounds';
import {
  createWebhookRequest,
  newWebhookReply,
  secretReply,
  toJsonWebhook,
  updateWebhookRequest,
  webhookListReply,
  webhookReply,
} from '@postroom/resources/webhook';
import { defineRoute } from './route.ts';

const tag = 'Webhooks';
const feature = 'webhooks';

export const webhookRoutes = [
  defineRoute({
    method: 'GET',
    path: '/webhooks',
    operationId: 'listWebhooks',
    tag,
    feature,
    summary: 'All webhooks',
    scope: 'read',
    reply: { status: 200, schema: webhookListReply, description: 'The webhooks, without their secrets.' },
    errors: [],
    call: async (_input, { webhookDelivery }, context) => {
      const { items } = await webhookDelivery.listWebhooks({}, context);
      return { items: items.map(toJsonWebhook) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks/{webhookId}',
    operationId: 'getWebhook',
    tag,
    feature,
    summary: 'One webhook',
    scope: 'read',
    reply: { status: 200, schema: webhookReply, description: 'The webhook, without its secret.' },
    errors: ['WEBHOOK_NOT_FOUND'],
    call: async ({ params }, { webhookDelivery }, context) => ({
      webhook: toJsonWebhook(await webhookDelivery.getWebhook(params, context)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    tag,
    feature,
    summary: 'Have events delivered to a URL',
    description: `Changes from now on are delivered, none from before. A workspace has at most ${bounds.perWorkspace.webhooks} webhooks.`,
    scope: 'write',
    idempotent: true,
    secretField: 'secret',
    body: createWebhookRequest,
    reply: { status: 201, schema: newWebhookReply, description: 'The new webhook and its signing secret.' },
    errors: [],
    call: async ({ body: { url, events = [], description } }, { webhookDelivery }, context) => {
      const request = { url, events, description: description ?? undefined };
      const { webhook, secret } = await webhookDelivery.createWebhook(request, context);
      return { webhook: toJsonWebhook(webhook), secret };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/webhooks/{webhookId}',
    operationId: 'updateWebhook',
    tag,
    feature,
    summary: 'Change, pause or enable a webhook',
    description:
      'A webhook that is enabled again gets what it missed, once and in order, as far back as the feed of changes reaches.',
    scope: 'write',
    body: updateWebhookRequest,
    reply: { status: 200, schema: webhookReply, description: 'The webhook as it is now.' },
    errors: ['WEBHOOK_NOT_FOUND'],
    call: async ({ params, body: { url, events, description, status } }, { webhookDelivery }, context) => {
      const change = {
        url,
        events: events && { items: events },
        description: description ?? undefined,
        clearDescription: description === null,
        status,
      };
      return { webhook: toJsonWebhook(await webhookDelivery.updateWebhook({ ...params, ...change }, context)) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/{webhookId}/secret',
    operationId: 'rotateWebhookSecret',
    tag,
    feature,
    summary: 'Replace the signing secret of a webhook',
    description: 'The old secret signs no delivery from now on.',
    scope: 'write',
    idempotent: true,
    secretField: 'secret',
    reply: { status: 200, schema: secretReply, description: 'The new signing secret.' },
    errors: ['WEBHOOK_NOT_FOUND'],
    call: async ({ params }, { webhookDelivery }, context) => {
      const { secret } = await webhookDelivery.rotateWebhookSecret(params, context);
      return { secret };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/webhooks/{webhookId}',
    operationId: 'deleteWebhook',
    tag,
    feature,
    summary: 'Delete a webhook',
    scope: 'write',
    reply: { status: 204, description: 'The webhook is gone, and nothing more is delivered to it.' },
    errors: ['WEBHOOK_NOT_FOUND'],
    call: ({ params }, { webhookDelivery }, context) => webhookDelivery.deleteWebhook(params, context),
  }),
];
