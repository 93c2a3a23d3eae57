import type { SendDocument } from '@postroom/mail-store/documents/send';
import { change, failSend, later, type SendDeps } from './send-deps.ts';
import { unavailableDelay } from './delays.ts';

type Work = (send: SendDocument) => Promise<SendDocument>;

/** Continues with the complete message. While its attachments are unavailable it waits, and no attempt is counted. */
export async function withLoadedAttachments(send: SendDocument, deps: SendDeps, work: Work): Promise<SendDocument> {
  if (!send.attaches) return work(send);
  const whole = await deps.attach(send);
  if ('reason' in whole) return whole.isFinal ? failSend(send, whole.reason, [], deps) : wait(send, whole.reason, deps);
  try {
    return await work({ ...send, wire: whole.wire, attaches: false });
  } finally {
    whole.leave();
  }
}

async function wait(send: SendDocument, reason: string, deps: SendDeps): Promise<SendDocument> {
  const delay = unavailableDelay(send, deps.context.clock.now());
  if (delay === undefined) return failSend(send, reason, [], deps);
  const nextAt = later(delay, deps);
  await deps.show(send, { status: 'pending', sendAt: nextAt, reason });
  deps.count(send, 'postponed');
  return change(send, { state: 'scheduled', lastError: reason, nextAt }, deps);
}

/** Of a message that was sent, as it went out; without what went along only where that is not to be had any more. */
export async function withSentMessage<T>(send: SendDocument, deps: SendDeps, work: (send: SendDocument) => Promise<T>) {
  if (!send.attaches) return work(send);
  const whole = await deps.attach(send);
  if ('wire' in whole) return work({ ...send, wire: whole.wire }).finally(whole.leave);
  if (!whole.isFinal && unavailableDelay(send, deps.context.clock.now()) !== undefined) throw new Error(whole.reason);
  return work(send);
}
