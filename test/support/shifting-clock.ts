import type { ServiceName } from '@postroom/local/services';
import { type Clock, systemClock } from '@postroom/runtime/clock';

interface ShiftingClock extends Clock {
  /** From now on it is so much later. Sleeps that have begun keep their length. */
  shift(ms: number): void;
}

/**
 * The time of the machine, which a test may move on: loops rest as long as they do, and find what has come due. It may run
 * several times as fast, so that the seconds between two sweeps pass in a part of them.
 */
export function shiftingClock({ times = 1 } = {}): ShiftingClock {
  const start = systemClock.now();
  let ahead = 0;
  const now = () => start + Math.trunc((systemClock.now() - start) * times) + ahead;
  return {
    now,
    date: () => new Date(now()),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
    shift: (ms) => void (ahead += ms),
  };
}

/** The gateway stays with the machine: it gives its services parts of a second, and a test on a busy machine has no less. */
export const behindGateway =
  (clock: Clock) =>
  (service: ServiceName): Clock =>
    service === 'gateway' ? systemClock : clock;
