import { createTurnstile, type Turnstile } from './turnstile.ts';
import { tooBusy } from './too-busy.ts';

/** What each workspace, or one mailbox of it that sends, may have under way at once: its work queues behind its own, not before that of others. */
export interface Shares {
  work<T>(whose: string, call: () => Promise<T>): Promise<T>;
}

interface Share {
  turnstile: Turnstile;
  calls: number;
}

export function createShares(atOnce: number): Shares {
  const shares = new Map<string, Share>();
  // Nobody is turned away here: how many may wait is what the limit per minute lets in.
  const open = (): Share => ({
    turnstile: createTurnstile({ atOnce, waiting: Number.POSITIVE_INFINITY, refusal: tooBusy }),
    calls: 0,
  });

  return {
    work: async (whose, call) => {
      const share = shares.get(whose) ?? open();
      shares.set(whose, share);
      share.calls++;
      try {
        return await share.turnstile.pass(call);
      } finally {
        if (--share.calls === 0) shares.delete(whose);
      }
    },
  };
}
