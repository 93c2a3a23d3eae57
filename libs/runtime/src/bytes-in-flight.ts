import { createFairLimit } from './fair-limit.ts';

/** Bounds the messages that a process has in memory at once, in bytes: their sizes differ by a factor of a thousand. */
export interface BytesInFlight {
  /** Waits until there is room. A message that is larger than the share of one owner counts as that share. */
  enter(bytes: number, owner: string, signal?: AbortSignal): Promise<Stay>;
}

export interface Stay {
  leave(): void;
  /** Whether another owner waits for this room and has none of it: a holder that is slow is to leave it now. */
  isWanted(): boolean;
}

/** Small messages have a room that large ones never take, so that no number of large ones delays a small one. */
const SMALL_PART = 1 / 4;
const LARGEST_SMALL = 1 / 16;
/** No owner has more than this of a room, so that its slow messages never fill it. */
const OWNER_SHARE = 1 / 2;

export function createBytesInFlight(limit: number): BytesInFlight {
  const small = createByteBudget(limit * SMALL_PART);
  const large = createByteBudget(limit * (1 - SMALL_PART));
  return {
    enter: async (bytes, owner, signal) => {
      if (bytes > limit * LARGEST_SMALL) return large.enter(bytes, owner, signal);
      return small.tryEnter(bytes, owner) ?? large.tryEnter(bytes, owner) ?? small.enter(bytes, owner, signal);
    },
  };
}

function createByteBudget(bytes: number) {
  const total = Math.floor(bytes);
  const permits = createFairLimit({ total, perOwner: Math.floor(total * OWNER_SHARE) });
  const waiting = new Map<string, number>();
  const wait = (owner: string, change: number): void => {
    const count = (waiting.get(owner) ?? 0) + change;
    if (count > 0) waiting.set(owner, count);
    else waiting.delete(owner);
  };
  const isWantedBeside = (owner: string) =>
    [...waiting.keys()].some((other) => other !== owner && permits.held(other) === 0);
  const stay = (owner: string, leave: () => void): Stay => ({ leave, isWanted: () => isWantedBeside(owner) });

  return {
    tryEnter: (wanted: number, owner: string): Stay | undefined => {
      const release = permits.tryAcquire(owner, Math.ceil(wanted));
      return release && stay(owner, release);
    },
    enter: async (wanted: number, owner: string, signal: AbortSignal | undefined): Promise<Stay> => {
      wait(owner, 1);
      try {
        return stay(owner, await permits.acquire(owner, { weight: Math.ceil(wanted), signal }));
      } finally {
        wait(owner, -1);
      }
    },
  };
}
