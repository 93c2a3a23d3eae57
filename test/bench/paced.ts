/** Asks so often in a second. Requests start by the clock, so a slow answer makes no later one wait. */
export async function paced(
  ask: (n: number) => Promise<void>,
  { perSecond, windowMs }: { perSecond: number; windowMs: number },
): Promise<void> {
  const count = Math.max(1, Math.round((perSecond * windowMs) / 1_000));
  const asks = Array.from({ length: count }, async (_, n) => {
    await new Promise<void>((resolve) => setTimeout(resolve, (n * 1_000) / perSecond));
    await ask(n);
  });
  await Promise.all(asks);
}
