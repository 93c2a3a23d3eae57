/** Tests inject these faults. The seed makes a run repeatable. */
export interface FaultOptions {
  seed: number;
  /** Share of publishes that throw. Half of them store the messages first, as when only the answer is lost. */
  drop?: number;
  /** Share of deliveries that come a second time although the first was handled. */
  repeat?: number;
  /** Share of deliveries that are held back, and for how long at most. */
  delay?: { share: number; maxMs: number };
}

export interface BusFaults {
  publish(): 'fine' | 'lost' | 'unanswered';
  repeats(): boolean;
  delayMs(): number;
}

export const noFaults: BusFaults = { publish: () => 'fine', repeats: () => false, delayMs: () => 0 };

export function seededFaults({ seed, drop = 0, repeat = 0, delay }: FaultOptions): BusFaults {
  const random = mulberry32(seed);
  return {
    publish: () => {
      if (random() >= drop) return 'fine';
      return random() < 0.5 ? 'lost' : 'unanswered';
    },
    repeats: () => random() < repeat,
    delayMs: () => (delay && random() < delay.share ? Math.ceil(random() * delay.maxMs) : 0),
  };
}

/** A public-domain generator of 32 bits of state: small, and the same on every platform. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
