import { ApiError } from '@postroom/errors/api-error';
import { isUnavailable } from '@postroom/errors/unavailable';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { BOUNCED } from './bounce-reason.ts';
import { finishDeferred, sendToDeferred } from './deferred-recipients.ts';
import { change, FINAL, later, LostHold, type SendDeps, type ShownState } from './send-deps.ts';
import { unstoredDelay } from './delays.ts';
import { withSentMessage } from './load-attachments.ts';

/** The server has the message: it is stored among the sent emails, and who was deferred is kept for another attempt. */
export async function recordSent(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  if (send.kind === 'remainder') return finishDeferred(send, deps);
  const deferred = sendToDeferred(send, deps.context.clock.now());
  if (deferred) await deps.sends.insert(send.workspaceId, deferred);
  await deps.at?.('remainder-kept');
  let emailId: string | null;
  try {
    emailId = await withSentMessage(send, deps, (sent) => deps.record(sent)).catch(nowhere);
    await deps.at?.('stored');
    await reportRefused(send, deps);
    await deps.show(send, { ...shownOf(send), sendAt: null });
  } catch (error) {
    return leaveUnstored(send, error, deps);
  }
  await deps.at?.('reported');
  const recorded = await change(send, { state: 'recorded', emailId, ...FINAL }, deps);
  deps.count(send, 'recorded');
  await deps.at?.('recorded');
  return recorded;
}

/** A recipient whose server returned the message has a report from that server. */
async function reportRefused(send: SendDocument, deps: SendDeps): Promise<void> {
  const failed = send.refused.filter(({ isFinal, reason }) => isFinal && !reason.startsWith(BOUNCED));
  if (failed.length > 0) await deps.reportUndelivered(send, failed, 'refused');
}

/** The message of a deleted mailbox has left, and is stored nowhere. */
function nowhere(error: unknown): null {
  if (error instanceof ApiError && error.code === 'MAILBOX_NOT_FOUND') return null;
  throw error;
}

/** A forward has one recipient, who may have sent it back before it could be stored. */
function shownOf({ kind, refused }: SendDocument): Pick<ShownState, 'status' | 'reason'> {
  const [cameBack] = kind === 'forward' ? refused : [];
  return cameBack ? { status: 'failed', reason: cameBack.reason } : { status: 'sent', reason: null };
}

/** The message was sent and has only to be stored. Retries become rarer, and operators see it. */
async function leaveUnstored(send: SendDocument, error: unknown, deps: SendDeps): Promise<SendDocument> {
  if (error instanceof LostHold) throw error;
  deps.context.log.error({ err: error, sendId: send._id }, 'a sent message is not stored; it is tried again');
  const reason = error instanceof ApiError ? error.code : 'mailbox-write could not be asked';
  const nextAt = later(unstoredDelay(send, deps.context.clock.now(), isUnavailable(error)), deps);
  // Its age is that of the server's yes.
  return change(send, { lastError: `sent, and not stored: ${reason}`, nextAt, updatedAt: send.updatedAt }, deps);
}
