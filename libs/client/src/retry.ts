import { PostroomError } from './error.ts';

export interface RetryOptions {
  /** Attempts in all; 1 for none but the first. */
  attempts: number;
  /** No wait is longer than this: where the API asks for more, the refusal is thrown. */
  longestWaitMs: number;
}

const FIRST_WAIT_MS = 250;
/** A gateway or a proxy in between that is not there at the moment. */
const UNAVAILABLE = new Set([500, 502, 503, 504]);

/** Repeats a call that may be repeated, when the API says so or after a delay that doubles each time. */
export async function withRetries<T>(
  call: () => Promise<T>,
  { attempts, longestWaitMs }: RetryOptions,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (thrown) {
      const waitMs = waitAfter(thrown, attempt);
      if (attempt >= attempts || waitMs === undefined || waitMs > longestWaitMs || signal.aborted) throw thrown;
      await pause(waitMs, signal);
    }
  }
}

/** The delay after a failure; undefined when a repeat would not help. */
function waitAfter(thrown: unknown, attempt: number): number | undefined {
  const backoff = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  if (!(thrown instanceof PostroomError)) return isUnanswered(thrown) ? backoff : undefined;
  const { code, status, retryAfterMs } = thrown;
  // The former attempt lost its answer and still runs.
  const isUnderWay = code === 'CONFLICT' && attempt > 1;
  if (status === 429 || UNAVAILABLE.has(status) || isUnderWay) return retryAfterMs ?? backoff;
  return undefined;
}

/** fetch throws a TypeError when the connection breaks, and what its signal was given when an attempt has had its time. */
const isUnanswered = (thrown: unknown) =>
  thrown instanceof TypeError || (thrown instanceof DOMException && thrown.name === 'TimeoutError');

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
