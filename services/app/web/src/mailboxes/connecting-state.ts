import type { ConnectEvent, MailboxAnswer } from '@postroom/app/answers';
import { AppFault } from '../api/fault.ts';

export type StepEvent = Extract<ConnectEvent, { type: 'step' }>;

export interface Connecting {
  /** The latest event of each step, in the order in which they began. */
  steps: readonly StepEvent[];
  isBusy: boolean;
  fault: unknown;
  mailbox: MailboxAnswer | null;
}

export const IDLE: Connecting = { steps: [], isBusy: false, fault: null, mailbox: null };

export function withEvent(present: Connecting, event: ConnectEvent, requestId: string | null): Connecting {
  if (event.type === 'connected') return { ...present, isBusy: false, mailbox: event.mailbox };
  if (event.type === 'refused') {
    return { ...present, isBusy: false, fault: new AppFault(0, event.code, event.error, requestId) };
  }
  const others = present.steps.filter(({ server, step }) => server !== event.server || step !== event.step);
  const isNew = others.length === present.steps.length;
  const steps = isNew
    ? [...present.steps, event]
    : present.steps.map((each) => (each.server === event.server && each.step === event.step ? event : each));
  return { ...present, steps };
}
