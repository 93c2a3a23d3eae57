import type { DeliveryDocument } from '@postroom/mail-store/documents/webhook';
import type { TestStack } from './stack.ts';

const DAY_MS = 86_400_000;

/** Stores a delivery that has been tried, because a real one takes a receiver and some seconds. */
export async function storeDelivery(
  { collections }: TestStack,
  workspaceId: string,
  webhookId: string,
  given: Pick<DeliveryDocument, '_id'> & Partial<DeliveryDocument>,
): Promise<string> {
  const now = new Date();
  const delivery: DeliveryDocument = {
    workspaceId,
    webhookId,
    changeId: `evt_${given._id}`,
    seq: 1,
    event: 'email.deleted',
    data: { emailId: 'eml_1' },
    changedAt: now,
    status: 'abandoned',
    attempts: [{ at: now, status: 500, durationMs: 12, error: null }],
    failures: 5,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 30 * DAY_MS),
    ...given,
  };
  await collections.deliveries.create([delivery]);
  return delivery._id;
}
