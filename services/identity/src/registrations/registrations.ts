import { createHash } from 'node:crypto';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import type { Clock } from '@postroom/runtime/clock';
import { type AttemptStore, subscriberOf } from '../sign-in-limits/sign-in-limits.ts';

const PERIOD_MS = 3_600_000;
/** Two periods can meet within a moment, so twice this number can pass in an hour. */
const MOST = 150;

export interface RegistrationLimit {
  /** Counts one, and returns the seconds to wait where that is one too many. */
  take(address: string, budget: TimeBudget): Promise<number>;
}

export function createRegistrationLimit(attempts: AttemptStore, clock: Pick<Clock, 'now'>): RegistrationLimit {
  return {
    take: async (address, budget) => {
      const period = Math.floor(clock.now() / PERIOD_MS);
      const ends = (period + 1) * PERIOD_MS;
      const name = createHash('sha256').update(subscriberOf(address)).digest('base64url');
      const count = await attempts.count(`registration:${name}:${period}`, new Date(ends), budget);
      return count > MOST ? Math.ceil((ends - clock.now()) / 1_000) : 0;
    },
  };
}
