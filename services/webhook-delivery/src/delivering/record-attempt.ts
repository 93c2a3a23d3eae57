import type { DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import type { Attempted } from './attempt.ts';
import { countFailure, type DisableDeps } from './disable-failing.ts';
import type { ProgressStore } from './progress-store.ts';
import { afterAttempt, type RetryPlan } from './schedule.ts';

export type AttemptKind = 'first' | 'retry' | 'replay';

export type RaiseDue = (workspaceId: string, webhookId: string, at: Date) => Promise<void>;

interface RecordDeps extends DisableDeps {
  progress: ProgressStore;
  plan: RetryPlan;
}

/** Records an attempt, in an order in which a crash at any point loses nothing. */
export function createRecord(deps: RecordDeps, raiseDue: RaiseDue) {
  const { progress, plan } = deps;
  /** Endpoints with a failure that this process recorded, and no success since. */
  const failing = new Set<string>();

  const record = async (webhook: WebhookDocument, delivery: DeliveryDocument, done: Attempted, kind: AttemptKind) => {
    const { _id: webhookId, workspaceId } = webhook;
    const { isDelivered, ...made } = done;
    const isFailure = !isDelivered && kind !== 'replay';
    // Noted before anything is awaited, so that attempts count in the order of their answers. The webhook was read before
    // the attempt, and another attempt may have failed since.
    const endsFailures = isDelivered && (failing.delete(webhookId) || webhook.failingSince !== null);
    if (isFailure) failing.add(webhookId);
    const next = afterAttempt(delivery, made, { isDelivered, isReplay: kind === 'replay' }, plan);
    const isNew =
      kind === 'first' &&
      (await progress.insert(workspaceId, { ...delivery, ...next, createdAt: made.at, attempts: [made] }));
    const replayAt = kind === 'replay' ? delivery.replayAt : undefined;
    if (!isNew) await progress.recordAttempt(workspaceId, delivery._id, made, next, replayAt);
    if (next.nextAttemptAt) await raiseDue(workspaceId, webhookId, next.nextAttemptAt);
    if (endsFailures) await progress.recordSuccess(workspaceId, webhookId);
    if (!isFailure) return;
    await countFailure(webhook, made.at, deps);
    // An attempt succeeded while the failure was written.
    if (!failing.has(webhookId)) await progress.recordSuccess(workspaceId, webhookId);
  };
  return { record, forget: (webhookId: string): void => void failing.delete(webhookId) };
}
