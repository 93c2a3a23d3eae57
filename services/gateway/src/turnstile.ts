export interface Turnstile {
  /** Does the work once fewer than the bound are at it, first come, first served; rejects where too many wait. */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

interface Bounds {
  atOnce: number;
  waiting: number;
  /** What those are told who find too many before them. */
  refusal: () => Error;
}

/** A few at a time, and a bounded number who wait: whoever sends more than that harms nobody but himself. */
export function createTurnstile({ atOnce, waiting: mostWaiting, refusal }: Bounds): Turnstile {
  const waiting: (() => void)[] = [];
  let inside = 0;

  const takeTurn = (): Promise<void> => {
    if (waiting.length >= mostWaiting) throw refusal();
    return new Promise((resolve) => waiting.push(resolve));
  };
  // Whoever leaves hands the place over, so that nobody who comes just then slips in before those who wait.
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  };

  return {
    pass: async (work) => {
      if (inside < atOnce) inside++;
      else await takeTurn();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
