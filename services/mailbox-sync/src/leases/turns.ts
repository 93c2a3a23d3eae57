import type { Clock } from '@postroom/runtime/clock';

/** So many a second for each name, in the order of asking. */
export function createTurns(perSecond: number, clock: Clock) {
  const gapMs = 1_000 / perSecond;
  const next = new Map<string, number>();

  return async (name: string, signal: AbortSignal): Promise<void> => {
    const now = clock.now();
    for (const [other, at] of next) if (at <= now) next.delete(other);
    const at = next.get(name) ?? now;
    next.set(name, at + gapMs);
    if (at > now) await clock.sleep(at - now, signal);
  };
}

export type Turns = ReturnType<typeof createTurns>;
