/** Runs a check until it holds, and gives what it found: what arrives from another process has no moment at which to expect it. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 60_000, everyMs = 15): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
