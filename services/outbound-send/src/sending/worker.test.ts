import { expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { startWorker } from './worker.ts';

it('takes up what other mailboxes send while the mail server of one keeps everybody waiting', async () => {
  const due = ['slow', 'slow', 'slow', 'slow', 'slow', 'slow', 'other'].map((mailboxId, n) => ({
    _id: `${n}`,
    mailboxId,
  }));
  const begun: string[] = [];
  let answer: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (answer = resolve));
  const clock = manualClock();
  const worker = startWorker({
    sends: {
      claimDue: async (_now, _lease, busy) => {
        const at = due.findIndex(({ mailboxId }) => !busy.includes(mailboxId));
        return at === -1 ? null : ((due.splice(at, 1)[0] ?? null) as SendDocument | null);
      },
    },
    run: async ({ mailboxId }) => {
      begun.push(mailboxId);
      if (mailboxId === 'slow') await slow;
    },
    concurrency: 6,
    leaseMs: 60_000,
    context: { clock, log: silentLog },
  });
  await clock.advance(1);
  expect(begun).toEqual(['slow', 'slow', 'slow', 'slow', 'other']);
  answer();
  await clock.advance(1);
  await clock.advance(1);
  expect(begun).toHaveLength(7);
  await worker.close();
});
