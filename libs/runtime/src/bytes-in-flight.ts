/** Bounds what a process has of messages in memory at once, in bytes: they differ by a factor of a thousand. */
export interface BytesInFlight {
  /** Waits for room, and is called back when it is free again. What is larger than all of it has it to itself. */
  enter(bytes: number): Promise<() => void>;
}

export function createBytesInFlight(limit: number): BytesInFlight {
  let used = 0;
  const waiting: { bytes: number; go: () => void }[] = [];
  const admit = () => {
    for (let next = waiting[0]; next && used + next.bytes <= limit; next = waiting[0]) {
      waiting.shift();
      used += next.bytes;
      next.go();
    }
  };

  return {
    enter: async (wanted) => {
      const bytes = Math.min(wanted, limit);
      await new Promise<void>((go) => {
        waiting.push({ bytes, go });
        admit();
      });
      let isIn = true;
      return () => {
        if (isIn) used -= bytes;
        isIn = false;
        admit();
      };
    },
  };
}
