const TICK_MS = 50;

export interface AwakeClock {
  /** Milliseconds in which this process ran. The time that a busy machine gave to others does not count. */
  now(): number;
  stop(): void;
}

/** Services and callers share this process: when it stands still, an answer is late that was given in time. */
export function startAwakeClock(): AwakeClock {
  let awakeMs = 0;
  let last = performance.now();
  const passed = () => Math.min(performance.now() - last, 2 * TICK_MS);
  const timer = setInterval(() => {
    awakeMs += passed();
    last = performance.now();
  }, TICK_MS);
  return { now: () => awakeMs + passed(), stop: () => clearInterval(timer) };
}
