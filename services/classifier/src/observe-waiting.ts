import type { ServiceContext } from '@postroom/runtime/service';
import type { MailStore } from './mail-store.ts';

const MOST_COUNTED = 10_000;

/** How late mail is, as whoever watches the pipeline asks first. */
export function observeWaiting(mail: Pick<MailStore, 'everyWorkspacesWaiting'>, context: ServiceContext): void {
  const { clock, metrics } = context;
  metrics.gauge('postroom_unfinished_emails', 'Emails that are not classified yet, counted to 10,000', async () => {
    return (await mail.everyWorkspacesWaiting(MOST_COUNTED)).count;
  });
  metrics.gauge('postroom_unfinished_oldest_seconds', 'Age of the oldest of them', async () => {
    const { since } = await mail.everyWorkspacesWaiting(1);
    return since ? Math.max(0, (clock.now() - since.getTime()) / 1_000) : 0;
  });
}
