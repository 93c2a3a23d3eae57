import type { CollectionsOf } from '@postroom/mail-store/access';
import { createAuditStore } from '@postroom/mail-store/audit-store';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import {
  WebhookDeliveryServiceDefinition,
  WebhookOperatorServiceDefinition,
} from '@postroom/proto/postroom/v1/webhook_delivery';
import { connect } from '@postroom/rpc/connect';
import { audited } from '@postroom/rpc/audited';
import { implement } from '@postroom/rpc/definition';
import { openOperatorPort } from '@postroom/rpc/operator-port';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService, type ServiceContext } from '@postroom/runtime/service';
import { openKeyring } from '@postroom/secrets/keyring';
import { webhookAudit } from './audit/audit.ts';
import { type Config, config } from './config.ts';
import { newDelivery } from './deliveries/deliveries.ts';
import { createDeliveryStore } from './deliveries/delivery-store.ts';
import { ANNOUNCED, type DeliveringDeps, type RetryPlan, startDelivering } from './delivering/delivering.ts';
import { createProgressStore } from './delivering/progress-store.ts';
import type { Deps } from './deps.ts';
import { createHandlers } from './handlers.ts';
import { createEndpointSender } from './sending/send.ts';
import { createDelivererStore } from './sharing/deliverer-store.ts';
import { startSharing } from './sharing/sharing.ts';
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
    const trail = createAuditStore(collections, context.clock);
    const changes = connect(ChangesServiceDefinition, settings.CHANGES_ADDR, { context });
    const keyring = openKeyring(settings.SECRET_KEYS);
    const targets = createTargets({ routes: routesOf(settings), server: settings.WEBHOOK_NAME_SERVER });
    const webhooks = createWebhookStore(collections);
    const deps: Deps = {
      context,
      webhooks,
      deliveries: createDeliveryStore(collections),
      sealedSecrets: createSealedSecretStore(collections),
      changes,
      keyring,
      signing: createSigning(keyring),
      targets,
      headOf: async (call) =>
        (await changes.listChanges({ since: { $case: 'now', value: true }, limit: 1 }, call)).nextSeq,
      webhookOf: async (workspaceId, webhookId, budget) => found(await webhooks.find(workspaceId, webhookId, budget)),
    };
    await deliver(settings, deps, { changes, targets, collections, context });
    const operators = implement(WebhookOperatorServiceDefinition, rotationHandlers(deps));
    const operatorPort = await openOperatorPort(settings, operators, context);
    const services = [
      implement(
        WebhookDeliveryServiceDefinition,
        audited<WebhookDeliveryServiceDefinition>(createHandlers(deps), webhookAudit, trail),
      ),
    ];
    const { port } = await serve({ address: serverAddress(settings), services, context });
    return { port, operatorPort };
  },
});

interface Opened {
  changes: DeliveringDeps['changes'];
  targets: DeliveringDeps['targets'];
  collections: CollectionsOf<'webhook-delivery'>;
  context: ServiceContext;
}

async function deliver(
  settings: Config,
  deps: Deps,
  { changes, targets, collections, context }: Opened,
): Promise<void> {
  const { metrics, lifecycle } = context;
  const sharing = await startSharing(createDelivererStore(collections), context);
  lifecycle.add('share of the workspaces', () => sharing.close());
  const sender = createEndpointSender({ ca: settings.WEBHOOK_CA });
  lifecycle.add('connections to endpoints', () => sender.close());
  const delivering = await startDelivering({
    context,
    changes,
    newDelivery,
    progress: createProgressStore(collections),
    sender,
    signing: deps.signing,
    targets,
    attempts: metrics.counter('postroom_webhook_attempts_total', 'Attempts to deliver, by result'),
    inFlight: settings.ATTEMPTS_IN_FLIGHT,
    plan: planOf(settings),
    isMine: sharing.isMine,
  });
  lifecycle.add('delivering', () => delivering.close());
  const { readings } = delivering;
  metrics.gauge(
    'postroom_webhook_oldest_due_seconds',
    'Age of the oldest delivery that is due at an endpoint that answers',
    () => readings().oldestDueMs / 1_000,
  );
  metrics.gauge('postroom_webhooks_failing', 'Endpoints whose last attempts failed', () => readings().failing);
  metrics.gauge(
    'postroom_webhooks_disabled',
    'Endpoints disabled after three days of failures',
    () => readings().disabled,
  );
}

function planOf({ WEBHOOK_DELAYS, WEBHOOK_DISABLE_AFTER }: Config): RetryPlan {
  return {
    delaysMs: WEBHOOK_DELAYS ?? ANNOUNCED.delaysMs,
    disableAfterMs: WEBHOOK_DISABLE_AFTER === undefined ? ANNOUNCED.disableAfterMs : WEBHOOK_DISABLE_AFTER * 1_000,
  };
}

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
