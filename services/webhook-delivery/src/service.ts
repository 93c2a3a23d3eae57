import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import {
  WebhookDeliveryServiceDefinition,
  WebhookOperatorServiceDefinition,
} from '@postroom/proto/postroom/v1/webhook_delivery';
import { connect } from '@postroom/rpc/connect';
import { implement } from '@postroom/rpc/definition';
import { openOperatorPort } from '@postroom/rpc/operator-port';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService } from '@postroom/runtime/service';
import { openKeyring } from '@postroom/secrets/keyring';
import { type Config, config } from './config.ts';
import { createDeliveryStore } from './deliveries/delivery-store.ts';
import type { Deps } from './deps.ts';
import { createHandlers } from './handlers.ts';
import { createSealedSecretStore } from './signing/sealed-secret-store.ts';
import { createSigning, rotationHandlers } from './signing/signing.ts';
import { createTargets, type FixedAddress } from './targets/targets.ts';
import { createWebhookStore } from './webhooks/webhook-store.ts';
import { found } from './webhooks/webhooks.ts';

export const service = defineService({
  name: 'webhook-delivery',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('webhook-delivery', storeSettings(settings), context);
    const changes = connect(ChangesServiceDefinition, settings.CHANGES_ADDR, { context });
    const keyring = openKeyring(settings.SECRET_KEYS);
    const webhooks = createWebhookStore(collections);
    const deps: Deps = {
      context,
      webhooks,
      deliveries: createDeliveryStore(collections),
      sealedSecrets: createSealedSecretStore(collections),
      changes,
      keyring,
      signing: createSigning(keyring),
      targets: createTargets({ routes: routesOf(settings), server: settings.WEBHOOK_NAME_SERVER }),
      headOf: async (call) =>
        (await changes.listChanges({ since: { $case: 'now', value: true }, limit: 1 }, call)).nextSeq,
      webhookOf: async (workspaceId, webhookId, budget) => found(await webhooks.find(workspaceId, webhookId, budget)),
    };
    const operators = implement(WebhookOperatorServiceDefinition, rotationHandlers(deps));
    const operatorPort = await openOperatorPort(settings, operators, context);
    const services = [implement(WebhookDeliveryServiceDefinition, createHandlers(deps))];
    const { port } = await serve({ address: serverAddress(settings), services, context });
    return { port, operatorPort };
  },
});

/** Of entries such as `hooks.test=127.0.0.1:8443`, whose form the configuration has checked. */
function routesOf({ WEBHOOK_ROUTES = [] }: Config): Map<string, FixedAddress> {
  return new Map(
    WEBHOOK_ROUTES.map((entry) => {
      const [host = '', target = ''] = entry.split('=');
      const colon = target.lastIndexOf(':');
      const address = target.slice(0, colon).replace(/^\[|\]$/g, '');
      return [host.toLowerCase(), { address, port: Number(target.slice(colon + 1)) }];
    }),
  );
}
