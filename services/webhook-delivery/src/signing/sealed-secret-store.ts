import type { Writes } from '@postroom/mail-store/access';
import type { EnvelopePart } from '@postroom/mail-store/documents/mailbox';
import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { QUERY_LIMIT, timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type SealedSecretStore = ReturnType<typeof createSealedSecretStore>;
type Sealed = Pick<WebhookDocument, '_id' | 'workspaceId' | 'secret'>;

const AT_ONCE = 200;
const SEALED = { workspaceId: 1, secret: 1 } as const;

/** The signing secrets of all workspaces, because an operator rotates all keys at once. */
export function createSealedSecretStore({ webhooks }: Writes<'webhooks'>) {
  return {
    everyUnder: (keyId: string): Promise<Sealed[]> =>
      webhooks.find({ 'secret.keyId': keyId }, SEALED, QUERY_LIMIT).limit(AT_ONCE).lean<Sealed[]>(),

    /** Few keys seal all secrets, so each query asks for the next key. The newest first. */
    everyCountByKey: async (budget: TimeBudget): Promise<{ keyId: string; count: number }[]> => {
      const counts: { keyId: string; count: number }[] = [];
      for (;;) {
        const next = await webhooks
          .findOne({ 'secret.keyId': { $gt: counts.at(-1)?.keyId ?? '' } }, SEALED, timeLimit(budget))
          .sort({ 'secret.keyId': 1 })
          .lean<Sealed | null>();
        if (!next) return counts.reverse();
        const { keyId } = next.secret;
        counts.push({ keyId, count: await webhooks.countDocuments({ 'secret.keyId': keyId }, timeLimit(budget)) });
      }
    },

    /** Changes only the wrapping, if the secret was not replaced meanwhile. */
    rewrap: async (
      workspaceId: string,
      webhookId: string,
      { keyId, wrappedKey }: EnvelopePart,
      before: EnvelopePart,
    ): Promise<void> => {
      await webhooks.updateOne(
        { _id: webhookId, workspaceId, 'secret.wrappedKey': before.wrappedKey },
        { $set: { 'secret.keyId': keyId, 'secret.wrappedKey': wrappedKey } },
        QUERY_LIMIT,
      );
    },
  };
}
