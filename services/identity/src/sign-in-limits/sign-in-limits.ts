import { createHash } from 'node:crypto';
import { ApiError } from '@postroom/errors/api-error';
import type { Clock } from '@postroom/runtime/clock';
import type { TimeBudget } from '@postroom/mail-store/time-limit';
import type { AttemptStore } from './attempt-store.ts';
import { siteOf, subscriberOf } from './networks.ts';

export type { AttemptStore } from './attempt-store.ts';
export { subscriberOf } from './networks.ts';

const PERIOD_MS = 15 * 60_000;
const KNOWN_MS = 90 * 24 * 3_600_000;
/** Two periods can meet within a few guesses, so twice these numbers can pass in a short time. */
const MOST = { account: 14, address: 55, site: 220, secret: 100, begun: 300 } as const;
type Counted = keyof typeof MOST;

interface Guess {
  /** Absent for the secret of a link, which names no account. */
  emailKey?: string | undefined;
  address: string;
}

export interface SignInLimits {
  /**
   * Counts the attempt before the password is compared, so that attempts at the same time are counted, too. The returned
   * call takes it back: successes do not count.
   */
  begin(guess: Guess, budget: TimeBudget): Promise<{ succeeded(): Promise<void> }>;
  /** Counts a question to a device or a provider, which is stored until it is answered. */
  ask(address: string, budget: TimeBudget): Promise<void>;
}

/**
 * Strangers share one count for an account, and an address from which the account was opened has its own. So many
 * addresses together guess no more than one, and cannot lock out the person who guesses nothing.
 */
export function createSignInLimits(attempts: AttemptStore, clock: Pick<Clock, 'now'>): SignInLimits {
  /** All of them are counted, also behind the first that is too many. */
  const count = async (counted: readonly [Counted, string][], budget: TimeBudget): Promise<string[]> => {
    const period = Math.floor(clock.now() / PERIOD_MS);
    const ends = new Date((period + 1) * PERIOD_MS);
    const keys = counted.map(([kind, name]) => `${kind}:${digest(name)}:${period}`);
    const counts = await Promise.all(keys.map((key) => attempts.count(key, ends, budget)));
    const isTooMuch = counted.some(([kind], index) => (counts[index] ?? 0) > MOST[kind]);
    if (isTooMuch) throw tooMany(ends.getTime() - clock.now());
    return keys;
  };
  return {
    async begin({ emailKey, address }, budget) {
      const pair = JSON.stringify([emailKey, subscriberOf(address)]);
      const knownKey = emailKey === undefined ? undefined : `known:${digest(pair)}`;
      const isKnown = knownKey !== undefined && (await attempts.isKept(knownKey, new Date(clock.now()), budget));
      const keys = await count(countedOf({ emailKey, address }, isKnown), budget);
      return {
        succeeded: async () => {
          const kept = knownKey && attempts.keep(knownKey, new Date(clock.now() + KNOWN_MS), budget);
          await Promise.all([...keys.map((key) => attempts.giveBack(key, budget)), kept]);
        },
      };
    },

    ask: async (address, budget) => {
      await count([['begun', subscriberOf(address)]], budget);
    },
  };
}

/** A link is the way in for a person who is refused otherwise, so wrong passwords do not count against links. */
function countedOf({ emailKey, address }: Guess, isKnown: boolean): [Counted, string][] {
  const subscriber = subscriberOf(address);
  if (emailKey === undefined) return [['secret', subscriber]];
  const own = JSON.stringify([emailKey, subscriber]);
  if (isKnown)
    return [
      ['address', subscriber],
      ['account', own],
    ];
  return [
    ['address', subscriber],
    ['site', siteOf(address)],
    ['account', emailKey],
  ];
}

/** Addresses of people stay out of ids, which stand in logs of the database. */
const digest = (name: string): string => createHash('sha256').update(name).digest('base64url');

function tooMany(waitMs: number): ApiError {
  const minutes = Math.ceil(waitMs / 60_000);
  const message = `There were too many failed attempts to sign in; try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return new ApiError('RATE_LIMIT_EXCEEDED', { message });
}
