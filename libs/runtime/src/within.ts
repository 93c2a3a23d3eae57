import type { Clock } from './clock.ts';
import { startTimer } from './timer.ts';

interface TimeLimit {
  ms: number;
  /** A watch over sockets and threads takes `systemClock`, because these run by real time. */
  clock: Pick<Clock, 'sleep'>;
  /** The error of work that is too late. */
  tooLate?: () => Error;
}

/**
 * Waits for work until the time is over, then aborts its signal and rejects without waiting for its end. Work that must
 * have ended before its caller goes on gets a signal from `abortedByAny` and `startTimer` instead.
 */
export function within<T>(
  { ms, clock, tooLate = () => new Error(`not done within ${ms} ms`) }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const cancel = startTimer(clock, ms, () => {
      const error = tooLate();
      reject(error);
      over.abort(error);
    });
    // An async function also catches an error of work that throws before it returns its promise.
    const run = async () => work(over.signal);
    run().finally(cancel).then(resolve, reject);
  });
}

/** Waits for a promise until the time is over, and then resolves to undefined. An error of the promise is thrown while it is awaited. */
export async function resultWithin<T>(
  { ms, clock }: Omit<TimeLimit, 'tooLate'>,
  work: Promise<T>,
): Promise<T | undefined> {
  const late = new Error('late');
  return within({ ms, clock, tooLate: () => late }, () => work).catch((error: unknown) => {
    if (error === late) return undefined;
    throw error;
  });
}
