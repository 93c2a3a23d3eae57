import { hideToast, offerUndo, say, UNDO_MS } from './toasts.tsx';

/** For a change that is made at once because a delay would harm: for some seconds, one click makes the opposite change. */
export function offerReversal(message: string, reverse: () => Promise<unknown>): void {
  const toast = offerUndo(message, () => {
    clearTimeout(timer);
    reverse().catch((error: unknown) =>
      say(error instanceof Error ? error.message : 'The change was not undone. Try again.'),
    );
  });
  const timer = setTimeout(() => hideToast(toast), UNDO_MS);
}
