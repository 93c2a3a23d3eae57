/** Somebody whose body is being taken in. */
export interface Holder {
  /** Whether a good key has come with it. */
  isKnown(): boolean;
  /** Told that the bytes are needed for somebody else. */
  letGo(): void;
}

export interface BodyMemory {
  /** Whether the holder may have so many bytes in all. */
  hold(holder: Holder, bytes: number): boolean;
  release(holder: Holder): void;
  readonly held: number;
}

/** Bounds what all bodies take together. When it is used up, those go first whose key nobody has looked at yet. */
export function createBodyMemory(most: number): BodyMemory {
  const holders = new Map<Holder, number>();
  let held = 0;

  const release = (holder: Holder): void => {
    held -= holders.get(holder) ?? 0;
    holders.delete(holder);
  };
  const makeRoom = (more: number): boolean => {
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
      if (held + more > most && !(holder.isKnown() && makeRoom(more))) return false;
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
