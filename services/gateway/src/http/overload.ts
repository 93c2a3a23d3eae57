export interface Overload {
  /** Whether one more request is admitted. If so, `leave` must follow. */
  enter(isSend: boolean): boolean;
  leave(): void;
  close(): void;
  readonly inFlight: number;
}

interface Bounds {
  maxInFlight: number;
  maxLagMs: number;
}

const SAMPLE_MS = 100;
/** Sends are admitted longer than other calls, because their refusal costs a caller most. */
const SENDS_EXTRA = 1.25;

/** Admission control: refuses requests that could not be answered in time, because late answers serve nobody. */
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
    enter: (isSend) => {
      const extra = isSend ? SENDS_EXTRA : 1;
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
