/** The checks of a slow machine would otherwise keep it from what they wait for. */
const LONGEST_PAUSE_MS = 100;

/**
 * Runs a check until it holds, and gives what it found: what arrives from another process has no moment at which to expect it.
 * Each pause is half as long again as the one before it.
 */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 60_000, firstPauseMs = 15): Promise<T> {
  const end = Date.now() + withinMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
