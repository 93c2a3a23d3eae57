import type {
  WebhookDeliveryServiceDefinition,
  WebhookOperatorServiceDefinition,
} from '@postroom/proto/postroom/v1/webhook_delivery';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import type { Keyring } from '@postroom/secrets/keyring';
import { secretOf } from '@postroom/secrets/secret';
import type { SealedSecretStore } from './sealed-secret-store.ts';
import type { Signing } from './seal.ts';

export type { SealedSecretStore } from './sealed-secret-store.ts';
export { createSigning, type Signing } from './seal.ts';

export interface SecretDeps {
  keyring: Pick<Keyring, 'keys' | 'unreadable'>;
  signing: Signing;
  sealedSecrets: SealedSecretStore;
}

export function sealingHandlers({ signing }: Pick<SecretDeps, 'signing'>) {
  return {
    sealSecret: async ({ secret }, { workspaceId }) => ({
      sealed: await signing.sealText(workspaceId, secretOf(secret)),
    }),
    openSecret: async ({ sealed }, { workspaceId }) => ({
      secret: (await signing.openText(workspaceId, sealed)).reveal(),
    }),
  } satisfies Partial<Handlers<WebhookDeliveryServiceDefinition>>;
}

export function rotationHandlers(deps: SecretDeps): Handlers<WebhookOperatorServiceDefinition> {
  return {
    countSecrets: (_request, call) => countByKey(call, deps),
    rotateSecrets: async (_request, call) => {
      await rewrapAll(deps, call.signal);
      return countByKey(call, deps);
    },
  };
}

async function countByKey(call: Call, { keyring, sealedSecrets }: SecretDeps) {
  const keys = (await keyring.keys()).map(({ id }) => id);
  const counted = await sealedSecrets.everyCountByKey(call);
  return {
    newestKeyId: keys[0] ?? '',
    sealed: counted.map(({ keyId, count }) => ({ keyId, count, isKnown: keys.includes(keyId) })),
    plainCount: 0,
    unreadableKeyIds: await keyring.unreadable(),
  };
}

async function rewrapAll({ keyring, signing, sealedSecrets }: SecretDeps, signal: AbortSignal): Promise<void> {
  const [newest, ...others] = await keyring.keys();
  // A secret under a key that is missing cannot be opened, and must not keep the others under their old keys.
  for (const { id } of newest ? others : []) {
    for (;;) {
      const page = await sealedSecrets.everyUnder(id);
      if (page.length === 0) break;
      for (const webhook of page) {
        signal.throwIfAborted();
        await sealedSecrets.rewrap(webhook.workspaceId, webhook._id, await signing.rewrap(webhook), webhook.secret);
      }
    }
  }
}
