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
