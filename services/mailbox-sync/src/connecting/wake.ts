/** Lets others wake a loop that may sleep at that moment. */
export function createWake() {
  let resting = new AbortController();
  const said = { scan: false, writeBack: false };

  return {
    say: (what: keyof typeof said) => {
      said[what] = true;
      resting.abort();
    },
    /** The wake-ups since the last call. */
    take: () => {
      const taken = { ...said };
      said.scan = said.writeBack = false;
      resting = new AbortController();
      return taken;
    },
    /** Aborted at the next wake-up. */
    signal: () => resting.signal,
  };
}

export type Wake = ReturnType<typeof createWake>;
