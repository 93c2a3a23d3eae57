const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks again until it is taken, as a source of mail does whose service died or was late. */
export async function untilTaken<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries > 100) throw error;
      await pause(100);
    }
  }
}
