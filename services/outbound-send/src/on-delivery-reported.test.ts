import { expect, it } from '@jest/globals';
import { NotNow } from '@postroom/events/bus';
import { createOnDeliveryReported } from './on-delivery-reported.ts';

const event = { workspaceId: 'wsp_1', data: { emailId: 'eml_1' } } as never;

it.each(['connecting', 'data_started', 'data_ending', 'accepted'])(
  'a report on a message that is still %s waits, without an attempt, and changes nothing meanwhile',
  async (state) => {
    const heard = createOnDeliveryReported({
      directory: { report: async () => ({ recipients: [] }) },
      sends: { findReported: async () => [{ kind: 'send', state, to: [] }] },
      reports: { add: () => undefined },
    } as never);
    await expect(heard(event)).rejects.toBeInstanceOf(NotNow);
  },
);

it('a forward that nobody knew of, and that came back, is recorded as sent first: its log ends with what came back', async () => {
  const send = { _id: 'snd_1', kind: 'forward', state: 'unknown', to: ['a@far.example'], ruleId: 'afr_1' };
  const shown: string[] = [];
  const heard = createOnDeliveryReported({
    directory: {
      report: async () => ({
        recipients: [{ address: 'A@far.example', action: 'failed', reason: '550 no such user' }],
      }),
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
    context: { clock: { date: () => new Date() }, log: { warn: () => undefined } },
    reports: { add: () => undefined },
  } as never);
  await expect(heard(event)).rejects.toBeInstanceOf(NotNow);
  expect([send.state, shown]).toEqual(['accepted', []]);
  // The worker has stored it, and told the log that it was sent.
  send.state = 'recorded';
  await heard(event);
  expect(shown).toEqual(['failed came back: 550 no such user']);
});
