/** Bounds what a process has of messages in memory at once, in bytes: they differ by a factor of a thousand. */
export interface BytesInFlight {
  /**
   * Waits for room, and is called back when it is free again. What is heavier than all heavy ones may be has their room
   * to itself. Owners take turns, each in the order of coming.
   */
  enter(bytes: number, owner: string): Promise<() => void>;
}

/** Each stays for as long as its mail server is slow. So heavy ones never have all of the room, nor has one owner. */
const LIGHT_SHARE = 1 / 8;
const HEAVY_SHARE = 3 / 4;
const OWNER_SHARE = 1 / 2;

interface Waiting {
  owner: string;
  bytes: number;
  go: () => void;
}

export function createBytesInFlight(limit: number): BytesInFlight {
  const light = createLine(limit, limit * OWNER_SHARE);
  const heavy = createLine(limit * HEAVY_SHARE, limit);
  const admitFrom = (line: typeof light, most: () => number): void => {
    for (;;) {
      const next = line.next();
      if (!next || line.used() + next.bytes > most()) return;
      if (light.used() + heavy.used() + next.bytes > limit) return;
      line.admit(next);
    }
  };
  const admit = () => {
    admitFrom(heavy, () => heavy.most);
    // Those who come again and again leave a heavy one that waits its room.
    admitFrom(light, () => (heavy.next() ? limit - heavy.most : light.most));
  };

  return {
    enter: async (wanted, owner) => {
      const line = wanted <= limit * LIGHT_SHARE ? light : heavy;
      const bytes = Math.min(Math.ceil(wanted), line.most);
      await new Promise<void>((go) => {
        line.add({ owner, bytes, go });
        admit();
      });
      let isIn = true;
      return () => {
        if (isIn) line.leave(owner, bytes);
        isIn = false;
        admit();
      };
    },
  };
}

/** Owners one after the other, who comes again behind all others; who has his share of the room is passed over. */
function createLine(most: number, mostOfOwner: number) {
  const waiting = new Map<string, Waiting[]>();
  const inside = new Map<string, number>();
  let used = 0;
  const count = (owner: string, bytes: number): void => {
    used += bytes;
    const ofOwner = (inside.get(owner) ?? 0) + bytes;
    if (ofOwner === 0) inside.delete(owner);
    else inside.set(owner, ofOwner);
  };
  return {
    most,
    used: () => used,
    add: (one: Waiting): void => void waiting.set(one.owner, [...(waiting.get(one.owner) ?? []), one]),
    next: (): Waiting | undefined => {
      for (const [owner, [one]] of waiting) if (one && (inside.get(owner) ?? 0) + one.bytes <= mostOfOwner) return one;
      return undefined;
    },
    admit: ({ owner, bytes, go }: Waiting): void => {
      const [, ...others] = waiting.get(owner) ?? [];
      waiting.delete(owner);
      if (others.length > 0) waiting.set(owner, others);
      count(owner, bytes);
      go();
    },
    leave: (owner: string, bytes: number) => count(owner, -bytes),
  };
}
