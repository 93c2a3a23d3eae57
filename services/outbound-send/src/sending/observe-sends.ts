import type { SendDocument } from '@postroom/mail-store/documents/send';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SendStore } from '../stored-sends/send-store.ts';

const KINDS: readonly SendDocument['kind'][] = ['send', 'approved', 'reply', 'forward', 'remainder'];
const MOST_COUNTED = 10_000;

/** The sends that are late: their number by kind, and the oldest. */
export function observeSends(sends: Pick<SendStore, 'everyWorkspacesLate'>, { clock, metrics }: ServiceContext): void {
  const late = (limit: number) =>
    Promise.all(KINDS.map(async (kind) => ({ kind, ...(await sends.everyWorkspacesLate(kind, clock.date(), limit)) })));
  metrics.gauge('postroom_sends_unfinished', 'Messages that are due and have not left, counted to 10,000', async () =>
    (await late(MOST_COUNTED)).map(({ kind, count }) => ({ value: count, labels: { kind } })),
  );
  metrics.gauge('postroom_sends_oldest_seconds', 'Age of the oldest of them', async () =>
    (await late(1)).map(({ kind, since }) => ({
      value: since ? Math.max(0, (clock.now() - since.getTime()) / 1_000) : 0,
      labels: { kind },
    })),
  );
}
