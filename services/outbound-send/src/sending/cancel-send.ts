import type { SendDocument } from '@postroom/mail-store/documents/send';
import { noteUndelivered } from './deferred-recipients.ts';
import { change, FINAL, type SendDeps } from './send-deps.ts';

/** It does not go out any more, and surely has not. */
export async function cancelSend(send: SendDocument, reason: string, deps: SendDeps): Promise<SendDocument> {
  await deps.show(send, { status: 'canceled', sendAt: null, reason });
  deps.count(send, 'canceled');
  const left = send.to.map((address) => ({ address, reason, isFinal: true }));
  if (send.kind === 'remainder') await noteUndelivered(send, left, deps);
  // A slot without a forward must not be counted, nor read by those who look for one.
  const slot = send.kind === 'forward' ? { scheduledSendAt: null } : {};
  return change(send, { state: 'canceled', lastError: reason, ...slot, ...FINAL }, deps);
}
