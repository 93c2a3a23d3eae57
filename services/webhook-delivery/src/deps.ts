import type { DeliveryHandlerDeps } from './deliveries/deliveries.ts';
import type { SecretDeps } from './signing/signing.ts';
import type { WebhookDeps } from './webhooks/webhooks.ts';

/** The dependencies of the handlers of this service. */
export type Deps = WebhookDeps & DeliveryHandlerDeps & SecretDeps;
