import { abortedByAny } from '@postroom/runtime/abort';
import type { Clock } from '@postroom/runtime/clock';
import { startTimer } from '@postroom/runtime/timer';

/** A good answer, its repair and a reply, each as slow as usual models are at worst. */
const LONGEST_ATTEMPT_MS = 60_000;

/** One attempt at one email. It ends with the first of the signals, and throws the reason of that one. */
export async function attemptWithin<T>(
  clock: Clock,
  ends: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const tooLong = new Error(`not classified within ${LONGEST_ATTEMPT_MS} ms`);
  const cancel = startTimer(clock, LONGEST_ATTEMPT_MS, () => over.abort(tooLong));
  const all = [...ends, over.signal];
  try {
    return await abortedByAny(all, work);
  } catch (error) {
    throw all.find(({ aborted }) => aborted)?.reason ?? error;
  } finally {
    cancel();
  }
}
