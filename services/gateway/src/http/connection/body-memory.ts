/** A caller whose body is being read. */
interface Holder {
  /** Whether it came with a valid key. */
  isKnown(): boolean;
  /** Called when the memory is needed for another caller. */
  letGo(): void;
}

export interface BodyMemory {
  /** Whether the holder may have so many bytes in all. */
  hold(holder: Holder, bytes: number): boolean;
  release(holder: Holder): void;
  readonly held: number;
}

/** Bounds the memory of all bodies together. When it is full, bodies without a checked key are dropped first. */
export function createBodyMemory(most: number): BodyMemory {
  const holders = new Map<Holder, number>();
  let held = 0;

  const release = (holder: Holder): void => {
    held -= holders.get(holder) ?? 0;
    holders.delete(holder);
  };
  const freeMemory = (more: number): boolean => {
    for (const holder of holders.keys()) {
      if (held + more <= most) break;
      if (holder.isKnown()) continue;
      release(holder);
      holder.letGo();
    }
    return held + more <= most;
  };

  return {
    hold: (holder, bytes) => {
      const more = bytes - (holders.get(holder) ?? 0);
      if (held + more > most && !(holder.isKnown() && freeMemory(more))) return false;
      held += more;
      holders.set(holder, bytes);
      return true;
    },
    release,
    get held() {
      return held;
    },
  };
}
