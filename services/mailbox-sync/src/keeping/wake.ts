/** Lets others say to somebody who may rest at that moment that there is something to do. */
export function createWake() {
  let resting = new AbortController();
  const said = { look: false, carry: false };

  return {
    say: (what: keyof typeof said) => {
      said[what] = true;
      resting.abort();
    },
    /** What was said since it was asked last. */
    take: () => {
      const taken = { ...said };
      said.look = said.carry = false;
      resting = new AbortController();
      return taken;
    },
    /** Aborted once something is said. */
    signal: () => resting.signal,
  };
}

export type Wake = ReturnType<typeof createWake>;
