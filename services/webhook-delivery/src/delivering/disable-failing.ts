import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import type { ServiceContext } from '@postroom/runtime/service';
import type { ProgressStore } from './progress-store.ts';
import type { RetryPlan } from './schedule.ts';

export interface DisableDeps {
  context: Pick<ServiceContext, 'clock' | 'log'>;
  progress: Pick<ProgressStore, 'recordFailure' | 'disable'>;
  plan: Pick<RetryPlan, 'disableAfterMs'>;
}

/** Notes since when an endpoint fails, and disables its webhook where that is longer than the plan allows. */
export async function countFailure(
  { workspaceId, _id: webhookId, failingSince }: WebhookDocument,
  at: Date,
  { context, progress, plan }: DisableDeps,
): Promise<void> {
  if (!failingSince) return progress.recordFailure(workspaceId, webhookId, at);
  const since = new Date(at.getTime() - plan.disableAfterMs);
  if (failingSince > since) return;
  if (await progress.disable(workspaceId, webhookId, since, context.clock.date()))
    context.log.warn({ webhookId }, 'a webhook is disabled; its cursor stays until its owner enables it');
}
