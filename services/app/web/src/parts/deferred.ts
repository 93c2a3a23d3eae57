import { useSyncExternalStore } from 'react';
import { say, hideToast, offerUndo, UNDO_MS } from './toasts.tsx';

interface Deferred {
  message: string;
  /** The request itself; `isLast` says that the page is leaving. */
  run(isLast: boolean): Promise<unknown>;
  /** Shows again what the change would have taken away. */
  undone?(): void;
}

interface Waiting extends Deferred {
  toast: string;
  timer: ReturnType<typeof setTimeout>;
}

const waiting = new Map<string, Waiting>();
const listeners = new Set<() => void>();
let ids: ReadonlySet<string> = new Set();

/**
 * Instead of asking "are you sure?": the change is shown at once, and made after some seconds, unless it is undone.
 * A page that leaves makes it first.
 */
export function defer(id: string, deferred: Deferred): void {
  if (waiting.has(id)) return;
  const toast = offerUndo(deferred.message, () => {
    forget(id);
    deferred.undone?.();
  });
  const timer = setTimeout(() => void finish(id, false), UNDO_MS);
  waiting.set(id, { ...deferred, toast, timer });
  announce();
}

/** Makes a change now that still waits. */
export const makeNow = (id: string): void => void finish(id, false);

/** The ids whose change waits: lists show them as changed already. */
export function useDeferred(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => ids);
}

window.addEventListener('pagehide', () => {
  for (const id of waiting.keys()) void finish(id, true);
});

async function finish(id: string, isLast: boolean): Promise<void> {
  const deferred = waiting.get(id);
  if (!deferred) return;
  clearTimeout(deferred.timer);
  hideToast(deferred.toast);
  try {
    await deferred.run(isLast);
  } catch (error) {
    say(error instanceof Error ? error.message : 'The change was not made. Try again.');
  }
  forget(id);
}

function forget(id: string): void {
  const deferred = waiting.get(id);
  if (deferred) clearTimeout(deferred.timer);
  waiting.delete(id);
  announce();
}

function announce(): void {
  ids = new Set(waiting.keys());
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
