import type { Endpoint } from './exchange.ts';

export interface Overload {
  /** Whether one more request may come in; when it may, `leave` must follow. */
  enter(endpoint: Endpoint): boolean;
  leave(): void;
  close(): void;
  readonly inFlight: number;
}

interface Bounds {
  maxInFlight: number;
  maxLagMs: number;
}

const SAMPLE_MS = 100;
/** What sends mail is let in for longer than the rest: giving it up costs its caller most. */
const SENDS_EXTRA = 1.25;

/** Refuses beyond what can be answered in time: being late for everyone would serve nobody. */
export function createOverload({ maxInFlight, maxLagMs }: Bounds): Overload {
  let inFlight = 0;
  let lagMs = 0;
  let due = performance.now() + SAMPLE_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lagMs = Math.max(0, now - due);
    due = now + SAMPLE_MS;
  }, SAMPLE_MS).unref();

  return {
    enter: (endpoint) => {
      const extra = 'permission' in endpoint && endpoint.permission === 'send' ? SENDS_EXTRA : 1;
      if (inFlight >= maxInFlight * extra || lagMs > maxLagMs * extra) return false;
      inFlight++;
      return true;
    },
    leave: () => {
      inFlight--;
    },
    close: () => clearInterval(timer),
    get inFlight() {
      return inFlight;
    },
  };
}
