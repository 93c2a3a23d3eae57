import type { SendDocument } from '@postroom/mail-store/documents/send';
import { recordSent } from './record.ts';
import { tellParent } from './deferred-recipients.ts';
import { change, later, type SendDeps } from './send-deps.ts';
import { searchDelay } from './delays.ts';

/** The server may have the message or not. It is searched for, shown to operators, and never sent again. */
export async function becomeUnknown(send: SendDocument, reason: string, deps: SendDeps): Promise<SendDocument> {
  const { clock } = deps.context;
  const notKnown = `what became of it is not known, and it is not sent again: ${reason}`;
  await deps.show(send, { status: 'sending', sendAt: send.scheduledSendAt, reason: notKnown });
  deps.count(send, 'unknown');
  const nextAt = later(searchDelay({ updatedAt: clock.date() }, clock.now()), deps);
  return change(send, { state: 'unknown', lastError: reason, nextAt }, deps);
}

export async function searchFiled(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  // Deferred recipients share their message with the others: a copy of it tells nothing about them.
  if (send.kind !== 'remainder' && (await deps.isFiled(send)))
    return recordSent(await change(send, { state: 'accepted', lastError: null }, deps), deps);
  // Its age counts from the missing answer, so a search does not count as a change.
  const nextAt = later(searchDelay(send, deps.context.clock.now()), deps);
  if (nextAt === null) return leaveUnknown(send, deps);
  return change(send, { nextAt, updatedAt: send.updatedAt }, deps);
}

const FOR_GOOD = 'after a day neither a copy nor a report says what became of it';

/** It is reported to the sender and logged once. Only the recipients or the mail server know more. */
async function leaveUnknown(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  const { updatedAt, lastError } = send;
  if (lastError?.startsWith(FOR_GOOD)) return change(send, { nextAt: null, updatedAt }, deps);
  const reason = `${FOR_GOOD}: ${lastError}`;
  await deps.show(send, { status: 'sending', sendAt: send.scheduledSendAt, reason });
  const left = send.to.map((address) => ({ address, reason, isFinal: true }));
  if (send.kind === 'remainder') await tellParent(send, left, deps);
  // The log of its rule tells of a forward, and its mailbox belongs to nobody who sent it.
  if (send.kind !== 'forward') await deps.reportUndelivered(send, left, 'unknown');
  deps.count(send, 'unknown_for_good');
  deps.context.log.warn({ sendId: send._id, mailboxId: send.mailboxId }, FOR_GOOD);
  return change(send, { nextAt: null, updatedAt, lastError: reason }, deps);
}
