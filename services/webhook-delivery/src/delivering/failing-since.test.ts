import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from '@jest/globals';
import type { DeliveryDocument, WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { type AtCall, interleave, ordersOfTwo } from '../../../../test/support/interleavings.ts';
import { createMakeAttempts } from './make-attempts.ts';
import { clock, context, webhook } from './process.test-support.ts';
import type { ProgressStore } from './progress-store.ts';
import { ANNOUNCED } from './schedule.ts';

/** Two attempts at one endpoint at once: the first fails, the second succeeds. */
function playOf() {
  const player = new AsyncLocalStorage<AtCall>();
  const at = <T>(name: string, call: () => T) => player.getStore()?.(name, async () => call()) as Promise<T>;
  let stored: WebhookDocument = webhook;
  const events: string[] = [];
  const progress = {
    find: () => at('find', () => stored),
    insert: () => at('insert', () => true),
    raiseDue: () => at('raiseDue', () => undefined),
    recordFailure: () => at('recordFailure', () => (stored = { ...stored, failingSince: clock.date() })),
    recordSuccess: () => at('recordSuccess', () => (stored = { ...stored, failingSince: null })),
  } as unknown as ProgressStore;
  const attempt = {
    withPermit: (_webhook: unknown, task: () => Promise<void>) => task(),
    send: (_webhook: unknown, { changeId }: Pick<DeliveryDocument, 'changeId'>) =>
      at('send', () => {
        events.push(changeId);
        return { at: clock.date(), status: null, durationMs: 1, error: null, isDelivered: changeId === 'succeeds' };
      }),
  } as unknown as Parameters<typeof createMakeAttempts>[0]['attempt'];
  const deps = { context, progress, attempt, plan: ANNOUNCED, isMine: () => true, onDue: () => undefined };
  const { one } = createMakeAttempts({ ...deps, pacing: { takes: () => true } });
  const { signal } = new AbortController();
  const run = (changeId: string) => async (as: AtCall) => {
    const delivery = { changeId, seq: 1, status: 'pending', failures: 0 } as DeliveryDocument;
    await player.run(as, () => one(webhook, delivery, 'first', signal));
    events.push(`${changeId} is recorded`);
  };
  return { run, events, isFailing: () => stored.failingSince !== null };
}

it('failingSince is null after an attempt that succeeded behind one that failed, in every order of their calls', async () => {
  const seen = new Set<string>();
  for (const schedule of ordersOfTwo(12)) {
    const { run, events, isFailing } = playOf();
    await interleave([run('fails'), run('succeeds')], schedule);
    const isAfter = (one: string, other: string) => events.indexOf(one) > events.indexOf(other);
    if (isAfter('succeeds', 'fails')) expect([events, isFailing()]).toEqual([events, false]);
    else if (isAfter('fails', 'succeeds is recorded')) expect([events, isFailing()]).toEqual([events, true]);
    seen.add(events.join());
  }
  expect(seen.size).toBeGreaterThan(4);
});
