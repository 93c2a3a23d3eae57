import type { Clock } from '@postroom/runtime/clock';
import type { createMakeAttempts } from './make-attempts.ts';
import { begunInOrder } from './deliver-changes.ts';
import type { ProgressStore, WaitingKind } from './progress-store.ts';
import { DUE_UNKNOWN } from './schedule.ts';

interface DueAttemptDeps {
  progress: ProgressStore;
  deliver: ReturnType<typeof createMakeAttempts>;
  clock: Pick<Clock, 'date'>;
}

const AT_ONCE = 16;

/** Makes the attempts that are due at an endpoint. */
export function createDueAttempts({ progress, deliver, clock }: DueAttemptDeps) {
  return async (
    workspaceId: string,
    webhookId: string,
    kind: WaitingKind,
    signal: AbortSignal,
    beforePage = (): void => undefined,
  ): Promise<void> => {
    while (!signal.aborted) {
      beforePage();
      const webhook = await progress.find(workspaceId, webhookId);
      if (!webhook || (kind === 'retry' && webhook.status !== 'enabled')) return;
      const due = await progress.due(workspaceId, webhookId, kind, clock.date(), AT_ONCE);
      await begunInOrder(due, (delivery, either) => deliver.one(webhook, delivery, kind, either), signal);
      if (due.length < AT_ONCE) return;
    }
  };
}

/** Notes when something is due next, once everything that was due has been tried. Returns it. */
export function createNoteDue({ progress }: Pick<DueAttemptDeps, 'progress'>) {
  return async (workspaceId: string, webhookId: string): Promise<Date | null> => {
    for (;;) {
      const webhook = await progress.find(workspaceId, webhookId);
      if (!webhook) return null;
      if (!(await progress.replaceDue(workspaceId, webhookId, webhook.dueAt, DUE_UNKNOWN))) continue;
      // Retries of an endpoint that is not enabled wait without a time; enabling it makes them due.
      const retry = webhook.status === 'enabled' ? await progress.nextDue(workspaceId, webhookId, 'retry') : null;
      const replay = await progress.nextDue(workspaceId, webhookId, 'replay');
      const next = [retry, replay].filter((at) => at !== null).sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
      if (await progress.replaceDue(workspaceId, webhookId, DUE_UNKNOWN, next)) return next;
    }
  };
}
