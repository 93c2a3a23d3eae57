export interface FairTurns {
  /** Runs the work when its owner has a permit. */
  take<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Bounds the tasks at once, with one for each owner, so that an owner with many tasks delays only itself. Owners are
 * served in rotation, in the order in which they began to wait.
 */
export function createFairTurns(places: number): FairTurns {
  const waiting = new Map<string, (() => void)[]>();
  const working = new Set<string>();

  const next = () => {
    for (const [owner, turns] of waiting) {
      if (working.size >= places) return;
      if (working.has(owner)) continue;
      if (turns.length === 1) waiting.delete(owner);
      working.add(owner);
      turns.shift()?.();
    }
  };
  const leave = (owner: string) => {
    working.delete(owner);
    // An owner that was served goes to the end of the rotation.
    const turns = waiting.get(owner);
    waiting.delete(owner);
    if (turns) waiting.set(owner, turns);
    next();
  };

  return {
    take: async (owner, work) => {
      await new Promise<void>((begin) => {
        const turns = waiting.get(owner);
        if (turns) turns.push(begin);
        else waiting.set(owner, [begin]);
        next();
      });
      try {
        return await work();
      } finally {
        leave(owner);
      }
    },
  };
}
