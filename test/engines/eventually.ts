/** Runs a check until it holds: what arrives from another process has no moment at which to expect it. */
export async function eventually(check: () => unknown, withinMs = 15_000, everyMs = 15): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
