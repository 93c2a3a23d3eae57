import type { Clock } from '@postroom/runtime/clock';
import { CommandRefusal } from '../command/command-deps.ts';
import { Expired, Unavailable, type Api } from './api.ts';
import { currentEnd, readStream, type StreamedChange } from './stream.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface Interruption {
  reason: string;
  retryInMs: number;
}

interface FollowOptions {
  clock: Pick<Clock, 'sleep'>;
  signal: AbortSignal;
  /** The present end is known: changes from now on are handed over. */
  onStart(): void;
  onInterruption(interruption: Interruption): void;
}

/** Hands over every change from now on, each once and in order, over any number of connections, until the signal. */
export async function follow(
  api: Api,
  { clock, signal, onStart, onInterruption }: FollowOptions,
  take: (change: StreamedChange) => Promise<void>,
): Promise<void> {
  // A stream without a cursor begins at its own start, and would leave out what happens between two connections.
  const end = await currentEnd(api, signal).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error instanceof Unavailable
      ? new CommandRefusal(`${error.message}; start it, or give its address with --url`)
      : error;
  });
  if (end === undefined) return;
  let cursor = end;
  onStart();
  let pauseMs = FIRST_PAUSE_MS;
  let failures = 0;
  const takeNext = async (change: StreamedChange) => {
    await take(change);
    cursor = change.cursor;
    failures = 0;
  };
  const onRetry = (ms: number) => (pauseMs = Math.min(ms, LONGEST_PAUSE_MS));

  while (!signal.aborted) {
    let retryInMs = pauseMs;
    try {
      await readStream(api, cursor, { clock, signal, onRetry }, takeNext);
      retryInMs = pauseMs;
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Expired) cursor = error.oldestCursor;
      else if (!(error instanceof Unavailable)) throw error;
      const atLeastMs = error instanceof Unavailable ? error.retryAfterMs : 0;
      retryInMs = Math.max(atLeastMs, Math.min(pauseMs * 2 ** failures++, LONGEST_PAUSE_MS));
      onInterruption({ reason: error.message, retryInMs });
    }
    await clock.sleep(retryInMs, signal).catch(() => undefined);
  }
}
