/**
 * Calls `work` with a signal that is aborted with the caller's, or after a time. AbortSignal.any keeps memory on Node 20 for
 * as long as the caller's signal lives.
 */
export async function withinTime<T>(
  caller: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const attempt = new AbortController();
  const stop = () => attempt.abort(caller.reason);
  const timer = setTimeout(
    () => attempt.abort(new DOMException('The API did not answer in time.', 'TimeoutError')),
    ms,
  );
  if (caller.aborted) stop();
  caller.addEventListener('abort', stop, { once: true });
  try {
    return await work(attempt.signal);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', stop);
  }
}
