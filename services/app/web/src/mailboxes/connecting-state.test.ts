import { expect, it } from '@jest/globals';
import type { ConnectEvent } from '@postroom/app/answers';
import { IDLE, withEvent } from './connecting-state.ts';

const step = (server: 'imap' | 'smtp', name: 'dns' | 'login', state: 'running' | 'ok' | 'failed'): ConnectEvent => ({
  type: 'step',
  server,
  step: name,
  state,
});
const after = (...events: ConnectEvent[]) =>
  events.reduce((present, event) => withEvent(present, event, 'req_1'), { ...IDLE, isBusy: true });

it('keeps the order in which steps began, and the latest state of each', () => {
  const { steps } = after(
    step('imap', 'dns', 'running'),
    step('smtp', 'dns', 'running'),
    step('imap', 'dns', 'ok'),
    step('imap', 'login', 'failed'),
  );
  expect(steps).toEqual([step('imap', 'dns', 'ok'), step('smtp', 'dns', 'running'), step('imap', 'login', 'failed')]);
});

it('ends with a refusal, which names the request', () => {
  const { isBusy, fault, mailbox } = after({ type: 'refused', code: 'LOGIN_FAILED', error: 'No.' });
  expect([isBusy, mailbox]).toEqual([false, null]);
  expect(fault).toMatchObject({ code: 'LOGIN_FAILED', message: 'No.', requestId: 'req_1' });
});
