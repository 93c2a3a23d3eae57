import type { SendDocument } from '@postroom/mail-store/documents/send';
import { cancelSend } from './cancel-send.ts';
import type { Slot } from './forward-slots.ts';
import { change, type SendDeps } from './send-deps.ts';

interface Kept {
  send: SendDocument;
  slot: Slot;
}

/** Sends a forward when its slot is due. Until then the forward is a stored row, and the log of its rule shows the time. */
export async function forwardWhenDue(
  send: SendDocument,
  deps: SendDeps,
  work: (send: SendDocument) => Promise<SendDocument>,
): Promise<SendDocument> {
  // After a first attempt it has used its slot.
  if (send.kind !== 'forward' || send.attempts > 0) return work(send);
  const { send: kept, slot } = await deps.slots.choose(send, (chosen) => keep(send, chosen, deps));
  if (slot.givenUp !== null) return cancelSend(kept, slot.givenUp, deps);
  return slot.waitsFor === null ? work(kept) : kept;
}

// Shown before it is written down: stopped in between it is shown again.
async function keep(send: SendDocument, slot: Slot, deps: SendDeps): Promise<Kept> {
  const { at: scheduledSendAt, waitsFor, givenUp } = slot;
  if (givenUp !== null) return { send, slot };
  if (waitsFor !== null) {
    await deps.show(send, { status: 'waiting', sendAt: scheduledSendAt, reason: waitsFor });
    deps.count(send, 'postponed');
    const waiting = { state: 'scheduled', scheduledSendAt, nextAt: scheduledSendAt, lastError: waitsFor } as const;
    return { send: await change(send, waiting, deps), slot };
  }
  if (send.scheduledSendAt?.getTime() === scheduledSendAt.getTime()) return { send, slot };
  return { send: await change(send, { scheduledSendAt }, deps), slot };
}
