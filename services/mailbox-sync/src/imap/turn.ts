/** A mutex: callers get it in the order of their calls, and each releases it. */
export function createTurn(): () => Promise<() => void> {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    let giveBack = () => {};
    const before = last;
    last = new Promise<void>((resolve) => (giveBack = resolve));
    await before;
    return giveBack;
  };
}
