import type { ServiceContext } from '@postroom/runtime/service';
import type { Model } from '../model/model.ts';
import type { UnclassifiedStore } from './pending-store.ts';

const MOST_COUNTED = 10_000;

/** The age of waiting mail, and the availability of the model. */
export function observeWaiting(
  pending: Pick<UnclassifiedStore, 'everyWorkspacesWaiting'>,
  { availability }: Pick<Model, 'availability'>,
  { clock, metrics }: Pick<ServiceContext, 'clock' | 'metrics'>,
): void {
  metrics.gauge('postroom_unfinished_emails', 'Emails that are not classified yet, counted to 10,000', async () => {
    return (await pending.everyWorkspacesWaiting(MOST_COUNTED)).count;
  });
  metrics.gauge('postroom_unfinished_oldest_seconds', 'Age of the oldest of them', async () => {
    const { since } = await pending.everyWorkspacesWaiting(1);
    return since ? Math.max(0, (clock.now() - since.getTime()) / 1_000) : 0;
  });
  metrics.gauge('postroom_model_available', '0 while the model answers nothing', () =>
    availability.isAvailable() ? 1 : 0,
  );
}
