import { expect, it } from '@jest/globals';
import { RetryLater } from '@postroom/events/bus';
import { manualClock } from '@postroom/runtime/clock';
import { createOnDeliveryReported } from './on-delivery-reported.ts';

const now = new Date();
const event = { workspaceId: 'wsp_1', occurredAt: now, data: { emailId: 'eml_1' } } as never;
const failed = { recipients: [{ address: 'A@far.example', action: 'failed', reason: '550 no such user' }] };

it.each(['connecting', 'data_started', 'data_ending', 'accepted'])(
  'a report on a message that is still %s waits, without an attempt, and changes nothing meanwhile',
  async (state) => {
    const heard = createOnDeliveryReported({
      mailReader: { report: async () => ({ recipients: [] }) },
      sends: { findReported: async () => [{ kind: 'send', state, lastError: null, to: [] }] },
      context: { clock: manualClock(now) },
      reports: { add: () => undefined },
    } as never);
    await expect(heard(event)).rejects.toBeInstanceOf(RetryLater);
  },
);

it.each([
  ['that cannot be stored', { state: 'accepted', lastError: 'sent, and not stored: INTERNAL_ERROR' }, 0],
  ['that a server holds without end', { state: 'data_started', lastError: null }, 20],
])('a report on a message %s stands in the way of no other, and is noted', async (_which, stands, minutesLater) => {
  const noted: string[] = [];
  const clock = manualClock(now);
  await clock.advance(minutesLater * 60_000);
  const heard = createOnDeliveryReported({
    mailReader: { report: async () => failed },
    sends: {
      findReported: async () => [{ _id: 'snd_1', kind: 'send', to: ['a@far.example'], ...stands }],
      noteCameBack: async (_workspaceId: string, id: string) => void noted.push(id),
    },
    context: { clock, log: { warn: () => undefined } },
    reports: { add: () => undefined },
  } as never);
  await heard(event);
  expect(noted).toEqual(['snd_1']);
});

it('a forward that nobody knew of, and that came back, is recorded as sent first: its log ends with what came back', async () => {
  const send = { _id: 'snd_1', kind: 'forward', state: 'unknown', to: ['a@far.example'], ruleId: 'afr_1' };
  const shown: string[] = [];
  const heard = createOnDeliveryReported({
    mailReader: {
      report: async () => failed,
    },
    sends: {
      findReported: async () => [{ ...send }],
      takeUp: async (_workspaceId: string, _send: unknown, _from: unknown, change: object) =>
        Object.assign(send, change),
      noteCameBack: async () => undefined,
    },
    sender: { wake: () => undefined },
    show: async (_send: unknown, { status, reason }: { status: string; reason: string }) => {
      shown.push(`${status} ${reason}`);
    },
    context: { clock: manualClock(now), log: { warn: () => undefined } },
    reports: { add: () => undefined },
  } as never);
  await expect(heard(event)).rejects.toBeInstanceOf(RetryLater);
  expect([send.state, shown]).toEqual(['accepted', []]);
  // The worker has stored it, and told the log that it was sent.
  send.state = 'recorded';
  await heard(event);
  expect(shown).toEqual(['failed came back: 550 no such user']);
});
