import { createHash } from 'node:crypto';
import { ApiError } from '@postroom/errors/api-error';
import type { Clock } from '@postroom/runtime/clock';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import type { AttemptStore } from './attempt-store.ts';

export type { AttemptStore } from './attempt-store.ts';

const PERIOD_MS = 15 * 60_000;
/** Two periods can meet within a few guesses, so twice these numbers can pass in a short time. */
const MOST = { account: 14, address: 55 } as const;

interface Guess {
  emailKey: string;
  address: string;
}

export interface SignInLimits {
  /**
   * Counts the attempt before the password is looked at, so that attempts at the same time are counted, too. The returned
   * call takes it back: successes do not count.
   */
  begin(guess: Guess, budget: TimeBudget): Promise<{ succeeded(): Promise<void> }>;
}

export function createSignInLimits(attempts: AttemptStore, clock: Pick<Clock, 'now'>): SignInLimits {
  return {
    async begin({ emailKey, address }, budget) {
      const period = Math.floor(clock.now() / PERIOD_MS);
      const ends = new Date((period + 1) * PERIOD_MS);
      const keys = { account: keyOf('account', emailKey, period), address: keyOf('address', address, period) };
      const counts = {
        address: await attempts.count(keys.address, ends, budget),
        account: await attempts.count(keys.account, ends, budget),
      };
      if (counts.account > MOST.account || counts.address > MOST.address) throw tooMany(ends.getTime() - clock.now());
      return {
        succeeded: async () => {
          await Promise.all([attempts.giveBack(keys.account, budget), attempts.giveBack(keys.address, budget)]);
        },
      };
    },
  };
}

/** Addresses of people stay out of ids, which stand in logs of the database. */
const keyOf = (kind: keyof typeof MOST, name: string, period: number): string =>
  `${kind}:${createHash('sha256').update(name).digest('base64url')}:${period}`;

function tooMany(waitMs: number): ApiError {
  const minutes = Math.ceil(waitMs / 60_000);
  const message = `There were too many failed attempts to sign in; try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return new ApiError('RATE_LIMIT_EXCEEDED', { message });
}
