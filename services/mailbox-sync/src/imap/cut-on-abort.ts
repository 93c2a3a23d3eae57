/** Calls `cut` when the signal is aborted during the work: nothing else ends a command that a provider does not answer. */
export async function cutOnAbort<T>(signal: AbortSignal, cut: () => void, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  signal.addEventListener('abort', cut, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', cut);
  }
}
