import { status } from '@grpc/grpc-js';
import { expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { noTracing } from '@postroom/runtime/tracing';
import { memorySends } from './memory-sends.test-support.ts';
import { recordSent } from './record.ts';
import type { SendDeps } from './send-deps.ts';

const HOUR_MS = 3_600_000;
const UNAVAILABLE = Object.assign(new Error(), { code: status.UNAVAILABLE, details: 'No connection established' });

it.each([
  ['soon, where nobody was there to store it', UNAVAILABLE, 30_000],
  ['as long again as it failed, where it was refused', new Error('refused'), HOUR_MS],
])('what was sent an hour ago is tried %s', async (_when, failure, delayMs) => {
  const [clock, store] = [manualClock(), memorySends()];
  const send = { ...store.make('send', clock.date(), clock.date()), state: 'accepted' as const };
  await store.sends.insert('w', send);
  await clock.advance(HOUR_MS);
  const deps = {
    sends: store.sends,
    context: { clock, log: silentLog, tracing: noTracing },
    record: () => Promise.reject(failure),
  } as unknown as SendDeps;
  const { state, nextAt } = await recordSent(send, deps);
  expect([state, nextAt]).toEqual(['accepted', new Date(clock.now() + delayMs)]);
});

it('a message from a mailbox that was removed since ends as sent, also in the log of its rule', async () => {
  const [clock, store] = [manualClock(), memorySends()];
  const send = { ...store.make('forward', clock.date(), clock.date()), state: 'accepted' as const };
  await store.sends.insert('w', send);
  const told: unknown[] = [];
  const deps = {
    sends: store.sends,
    context: { clock, log: silentLog, tracing: noTracing },
    record: () => Promise.reject(new ApiError('MAILBOX_NOT_FOUND')),
    show: async (_send: unknown, shown: unknown) => told.push(shown),
    count: () => undefined,
  } as unknown as SendDeps;
  expect(await recordSent(send, deps)).toMatchObject({ state: 'recorded', emailId: null, nextAt: null, wire: null });
  expect(told).toEqual([{ status: 'sent', sendAt: null, reason: null }]);
});

it('a forward that came back before it could be stored is told to its rule as what it is', async () => {
  const [clock, store] = [manualClock(), memorySends()];
  const refused = [{ address: 'a@far.example', reason: 'came back: 550 no such user', isFinal: true }];
  const send = { ...store.make('forward', clock.date(), clock.date()), state: 'accepted' as const, refused };
  await store.sends.insert('w', send);
  const told: unknown[] = [];
  const deps = {
    sends: store.sends,
    context: { clock, log: silentLog, tracing: noTracing },
    record: async () => 'eml_1',
    show: async (_send: unknown, shown: unknown) => told.push(shown),
    count: () => undefined,
  } as unknown as SendDeps;
  expect((await recordSent(send, deps)).state).toBe('recorded');
  expect(told).toEqual([{ status: 'failed', sendAt: null, reason: 'came back: 550 no such user' }]);
});
