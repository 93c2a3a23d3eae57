/** One after the other, in the order of asking: waits for one's turn, and whoever has it gives it back. */
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
