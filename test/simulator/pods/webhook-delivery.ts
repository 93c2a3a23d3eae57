import { collectionsOf } from '@postroom/mail-store/access';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import { WebhookDeliveryServiceDefinition } from '@postroom/proto/postroom/v1/webhook_delivery';
import { secretOf } from '@postroom/secrets/secret';
import { newDelivery } from '../../../services/webhook-delivery/src/deliveries/deliveries.ts';
import { createDeliveryStore } from '../../../services/webhook-delivery/src/deliveries/delivery-store.ts';
import { type DeliveringDeps, startDelivering } from '../../../services/webhook-delivery/src/delivering/delivering.ts';
import { createProgressStore } from '../../../services/webhook-delivery/src/delivering/progress-store.ts';
import { createHandlers } from '../../../services/webhook-delivery/src/handlers.ts';
import { createDelivererStore } from '../../../services/webhook-delivery/src/sharing/deliverer-store.ts';
import { startSharing } from '../../../services/webhook-delivery/src/sharing/sharing.ts';
import { createSealedSecretStore } from '../../../services/webhook-delivery/src/signing/sealed-secret-store.ts';
import type { Signing } from '../../../services/webhook-delivery/src/signing/signing.ts';
import { createWebhookStore } from '../../../services/webhook-delivery/src/webhooks/webhook-store.ts';
import { found } from '../../../services/webhook-delivery/src/webhooks/webhooks.ts';
import { simulatedCollections } from '../world/database.ts';
import type { Process } from '../world/process.ts';
import type { OpenPod } from './pods.ts';

const IN_FLIGHT = 16;
/** So short that a run sees the last attempt, and an endpoint that is disabled. */
const PLAN = { delaysMs: [1_000, 2_000, 4_000, 8_000], disableAfterMs: 40_000 };

/** Seals nothing: no secret is part of a promise of this workload. */
const signing: Signing = {
  make: async () => ({ keyId: 'key', wrappedKey: 'wrapped', sealed: 'sealed' }),
  open: async () => secretOf('secret'),
  rewrap: async ({ secret }) => secret,
  sealText: async () => 'sealed',
  openText: async () => secretOf('secret'),
};
const keyring = { keys: async () => [], unreadable: async () => [] };

/** Every address is public. */
const targets = {
  check: async () => undefined,
  find: async (url: string) => ({ url: new URL(url), host: new URL(url).host, addresses: [], port: 443 }),
};

/** As its service.ts opens it, with scripted endpoints, and without seals and names. */
export const openWebhookDelivery =
  (senderOf: (pod: Process) => DeliveringDeps['sender']): OpenPod =>
  async (pod, { network }) => {
    const { context } = pod;
    const collections = collectionsOf(simulatedCollections(), 'webhook-delivery');
    const changes = network.connect(ChangesServiceDefinition, pod);
    const webhooks = createWebhookStore(collections);
    const handlers = createHandlers({
      context,
      webhooks,
      deliveries: createDeliveryStore(collections),
      sealedSecrets: createSealedSecretStore(collections),
      changes,
      keyring,
      signing,
      targets,
      headOf: async (call) =>
        (await changes.listChanges({ since: { $case: 'now', value: true }, limit: 1 }, call)).nextSeq,
      webhookOf: async (workspaceId, webhookId, budget) => found(await webhooks.find(workspaceId, webhookId, budget)),
    });
    const sharing = await startSharing(createDelivererStore(collections), context);
    await startDelivering({
      context,
      changes,
      newDelivery,
      progress: createProgressStore(collections),
      sender: senderOf(pod),
      signing,
      targets,
      attempts: { add: () => undefined },
      inFlight: IN_FLIGHT,
      plan: PLAN,
      isMine: sharing.isMine,
    });
    network.serve(WebhookDeliveryServiceDefinition, pod, handlers);
  };
