import { type Clock, systemClock } from '@postroom/runtime/clock';

export interface ShiftingClock extends Clock {
  /** From now on it is so much later. Who sleeps sleeps on. */
  shift(ms: number): void;
}

/** The time of the machine, which a test may move on: loops rest as long as they do, and find what has come due. */
export function shiftingClock(): ShiftingClock {
  let ahead = 0;
  const now = () => systemClock.now() + ahead;
  return { ...systemClock, now, date: () => new Date(now()), shift: (ms) => void (ahead += ms) };
}
