import { ApiError } from '@postroom/errors/api-error';
import { newSigningSecret } from '@postroom/contract/webhook-signature';
import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import type { Envelope } from '@postroom/secrets/envelope';
import type { Keyring } from '@postroom/secrets/keyring';
import { secretOf, type Secret } from '@postroom/secrets/secret';
import { z } from 'zod';

type Sealed = Pick<WebhookDocument, '_id' | 'workspaceId' | 'secret'>;
type Named = Omit<Sealed, 'secret'>;

export interface Signing {
  /** A new secret, sealed for this webhook. */
  make(webhook: Named): Promise<Envelope>;
  open(webhook: Sealed): Promise<Secret>;
  rewrap(webhook: Sealed): Promise<Envelope>;
  /** A secret as text that opens for this workspace alone. */
  sealText(workspaceId: string, secret: Secret): Promise<string>;
  /** CONFLICT where the text is not one of these, or its key is gone. */
  openText(workspaceId: string, sealed: string): Promise<Secret>;
}

const envelope = z.object({ keyId: z.string(), wrappedKey: z.string(), sealed: z.string() });
const ownerOf = ({ workspaceId, _id }: Named) => [workspaceId, _id];
const textOwner = (workspaceId: string) => [workspaceId, 'answer with a signing secret'];

export function createSigning(keyring: Pick<Keyring, 'seal' | 'open' | 'rewrap'>): Signing {
  return {
    make: (webhook) => keyring.seal(ownerOf(webhook), secretOf(newSigningSecret())),
    open: (webhook) => keyring.open(ownerOf(webhook), webhook.secret),
    rewrap: (webhook) => keyring.rewrap(ownerOf(webhook), webhook.secret),
    sealText: async (workspaceId, secret) =>
      Buffer.from(JSON.stringify(await keyring.seal(textOwner(workspaceId), secret))).toString('base64url'),
    openText: async (workspaceId, sealed) => {
      try {
        const read = envelope.parse(JSON.parse(Buffer.from(sealed, 'base64url').toString('utf8')));
        return await keyring.open(textOwner(workspaceId), read);
      } catch (error) {
        const message = 'The signing secret of the first answer cannot be opened any more; ask for a new secret.';
        throw new ApiError('CONFLICT', { message, cause: error });
      }
    },
  };
}
