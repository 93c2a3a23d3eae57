import { setMaxListeners } from 'node:events';
import type { Clock } from '@postroom/runtime/clock';
import { startTimer } from '@postroom/runtime/timer';

/** The two steps of leaving: first nothing new is begun, then, when the grace is over, what still runs is aborted. */
export interface Stopper {
  leaving: AbortSignal;
  lost: AbortSignal;
  leave(): void;
  lose(reason: Error): void;
  /** The work is done before the grace is over: nothing needs aborting any more. */
  done(): void;
}

export function createStopper(clock: Clock, graceMs = 5_000): Stopper {
  const leaving = new AbortController();
  const lost = new AbortController();
  // One for each message that is being worked on, or waits for its next attempt.
  setMaxListeners(0, lost.signal, leaving.signal);
  let cancel: (() => void) | undefined;
  const lose = (reason: Error): void => {
    leaving.abort(reason);
    lost.abort(reason);
  };
  return {
    leaving: leaving.signal,
    lost: lost.signal,
    leave: () => {
      if (leaving.signal.aborted) return;
      leaving.abort(new Error('the consumer is closing'));
      const tooLong = new Error(`the consumer closed and the handler took longer than ${graceMs} ms`);
      cancel = startTimer(clock, graceMs, () => lose(tooLong));
    },
    lose,
    done: () => cancel?.(),
  };
}
