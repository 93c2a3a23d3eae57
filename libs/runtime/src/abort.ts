/**
 * Calls `work` with a signal that is aborted as soon as one of these is. AbortSignal.any does the same, but on Node 20 it
 * keeps memory for each call until the last of its signals is gone: https://github.com/nodejs/node/issues/54614.
 */
export async function abortedByAny<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController();
  const abort = ({ target }: Pick<Event, 'target'>) => either.abort((target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal.aborted) abort({ target: signal });
    else signal.addEventListener('abort', abort, { once: true });
  }
  try {
    return await work(either.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}

/** Calls `cut` when the signal is aborted during the work, for work that takes no signal. */
export async function cutOnAbort<T>(signal: AbortSignal, cut: () => void, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  signal.addEventListener('abort', cut, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', cut);
  }
}
