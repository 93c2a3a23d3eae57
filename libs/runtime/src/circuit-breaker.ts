import type { Clock } from './clock.ts';
import { createResponseWatchdog } from './response-watchdog.ts';

export interface CircuitBreaker {
  isOpen(): boolean;
  /** Runs a call. The first failure opens the circuit, and all waiting callers are released. */
  run<T>(call: () => Promise<T>): Promise<T>;
  stop: () => void;
}

interface CircuitBreakerOptions {
  clock: Pick<Clock, 'sleep' | 'now'>;
  /** Asked again and again while the circuit is open; the first answer closes it. */
  probe: () => Promise<void>;
  onOpen: (error: unknown) => void;
  onClose: () => void;
}

/** A server without an answer for so long hangs. With the tick added, a caller waits 300 ms at most. */
const WATCHDOG_MS = 250;
const FIRST_PROBE_MS = 250;
const LAST_PROBE_MS = 4_000;
/** A circuit that opens again so soon was closed too early: one node of a cluster answers the probe, another hangs. */
const SOON_MS = 5_000;

/** No call was answered in time. */
export class Unanswered extends Error {}

/** The error of a call while the circuit is open. */
export class NotTried extends Error {}

/** The error of a running call when the failure of another one opened the circuit. */
export class GivenUp extends Error {}

export function createCircuitBreaker({ clock, probe, onOpen, onClose }: CircuitBreakerOptions): CircuitBreaker {
  const stopped = new AbortController();
  const watchdog = createResponseWatchdog(WATCHDOG_MS, () => fail(new Unanswered(`no answer for ${WATCHDOG_MS} ms`)));
  let open = false;
  let closedAt = -Infinity;
  let pauseMs = FIRST_PROBE_MS;

  const probing = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        await clock.sleep(pauseMs, stopped.signal);
        await probe();
        open = false;
        closedAt = clock.now();
        return onClose();
      } catch {
        // Not yet: asked again, unless the circuit was stopped.
      }
    }
  };
  const fail = (error: unknown): void => {
    if (open || stopped.signal.aborted) return;
    open = true;
    pauseMs = clock.now() - closedAt < SOON_MS ? Math.min(LAST_PROBE_MS, pauseMs * 2) : FIRST_PROBE_MS;
    onOpen(error);
    watchdog.endAll(new GivenUp('given up, because another call failed', { cause: error }));
    void probing();
  };

  return {
    isOpen: () => open,
    stop: () => stopped.abort(new Error('closing')),
    run: (call) =>
      new Promise((resolve, reject) => {
        if (open) return reject(new NotTried('not tried, because the circuit is open'));
        const wait = watchdog.begin(reject);
        call().then(
          (value) => {
            watchdog.end(wait);
            resolve(value);
          },
          (error: unknown) => {
            watchdog.end(wait);
            reject(error as Error);
            fail(error);
          },
        );
      }),
  };
}
