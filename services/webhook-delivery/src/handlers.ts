import type { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import type { Handlers } from '@postroom/rpc/definition';
import { deliveryHandlers } from './deliveries/deliveries.ts';
import type { Deps } from './deps.ts';
import { sealingHandlers } from './signing/signing.ts';
import { webhookHandlers } from './webhooks/webhooks.ts';

export function createHandlers(deps: Deps): Handlers<WebhookDeliveryServiceDefinition> {
  return { ...webhookHandlers(deps), ...deliveryHandlers(deps), ...sealingHandlers(deps) };
}
