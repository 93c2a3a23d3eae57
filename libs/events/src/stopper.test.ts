import { getMaxListeners } from 'node:events';
import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createStopper } from './stopper.ts';

it('the signals of a consumer may be listened to by as many messages as it works on, and Node takes none for a leak', () => {
  const { leaving, lost } = createStopper(manualClock());
  expect([leaving, lost].map((signal) => getMaxListeners(signal))).toEqual([0, 0]);
});
