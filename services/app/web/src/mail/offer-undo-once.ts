import { hideToast, offerUndo, UNDO_MS } from '../parts/toasts.tsx';

let shown: { toast: string; timer: ReturnType<typeof setTimeout> } | undefined;

/** Offers to undo the last of many quick changes; the offers before it are over. */
export function offerUndoOnce(message: string, undo: () => void): void {
  withdrawOffer();
  const toast = offerUndo(message, undo);
  const offer = { toast, timer: setTimeout(() => withdraw(offer), UNDO_MS) };
  shown = offer;
}

/** The key for undoing is for the change that was made last. */
export function withdrawOffer(): void {
  if (shown) withdraw(shown);
}

function withdraw({ toast, timer }: NonNullable<typeof shown>): void {
  clearTimeout(timer);
  hideToast(toast);
}
