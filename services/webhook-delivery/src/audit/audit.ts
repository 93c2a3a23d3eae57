import type { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import type { AuditTable, AuditTarget } from '@postroom/rpc/audited';

const webhook = (id: string, name?: string): AuditTarget => ({ kind: 'webhook', id, name });

export const webhookAudit: AuditTable<WebhookDeliveryServiceDefinition> = {
  createWebhook: { action: 'webhook.created', target: ({ url }, made) => webhook(made?.webhook?.id ?? '', url) },
  updateWebhook: {
    action: 'webhook.updated',
    target: ({ webhookId, url }, changed) => webhook(webhookId, changed?.url ?? url),
  },
  rotateWebhookSecret: { action: 'webhook.secret_rotated', target: ({ webhookId }) => webhook(webhookId) },
  deleteWebhook: { action: 'webhook.deleted', target: ({ webhookId }) => webhook(webhookId) },
  replayDelivery: {
    action: 'webhook.delivery_replayed',
    target: ({ deliveryId: id }) => ({ kind: 'delivery', id }),
  },
  recoverDeliveries: { action: 'webhook.recovered', target: ({ webhookId }) => webhook(webhookId) },
};
