import { useSyncExternalStore } from 'react';
import { relativeTime, utcTime } from './relative.ts';

const TICK_MS = 15_000;
let now = new Date();
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

/** All moments of a page tick together. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    now = new Date();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

function currentTime(): Date {
  // Nothing ticks while no moment is shown, so the last tick may be long ago.
  if (ticking === undefined && Date.now() - now.getTime() > TICK_MS) now = new Date();
  return now;
}

function useNow(): Date {
  return useSyncExternalStore(subscribe, currentTime);
}

/** A moment as people say it; the exact one in UTC is under the pointer. */
export function Moment({ at, none = 'Never' }: { at: string | null | undefined; none?: string }) {
  const present = useNow();
  if (!at) return <span className="soft">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={utcTime(date)}>
      {relativeTime(date, present < date && date.getTime() - present.getTime() < TICK_MS ? date : present)}
    </time>
  );
}
