import type { SendDocument } from '@postroom/mail-store/documents/send';
import { attemptSend } from './attempt.ts';
import { cancelSend } from './cancel-send.ts';
import { forwardWhenDue } from './forward-when-due.ts';
import { recordSent } from './record.ts';
import { change, failSend, type SendDeps } from './send-deps.ts';
import { withCurrentDate } from './date-header.ts';
import { withLoadedAttachments } from './load-attachments.ts';
import { becomeUnknown, searchFiled } from './unknown-outcome.ts';

/** Works on a held send as far as possible now. The rest has a time at which a worker takes it up again. */
export async function runSend(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  await deps.at?.('taken-up');
  switch (send.state) {
    case 'awaiting_approval':
      return cancelSend(send, 'nobody approved it in time', deps);
    case 'scheduled':
    case 'connecting':
    case 'data_started':
      // Nobody has the message. A send that a caller waits for leaves in that call or not at all.
      if (send.kind === 'send') return failSend(send, 'interrupted before the server had the message', [], deps);
      return goOrCancel(send, deps);
    case 'data_ending':
      return searchFiled(await becomeUnknown(send, 'interrupted before the server answered', deps), deps);
    case 'unknown':
      return searchFiled(send, deps);
    case 'accepted':
      return recordSent(send, deps);
    case 'canceled':
      // The call that stopped it may have ended before its draft, or the log of its rule, said so.
      await deps.show(send, { status: 'canceled', sendAt: null, reason: send.lastError });
      return change(send, { nextAt: null }, deps);
    default:
      return change(send, { nextAt: null }, deps);
  }
}

/** The first attempt, by the process that inserted the send, while the caller waits. */
export async function beginSend(send: SendDocument, deps: SendDeps, patientUntil: number): Promise<SendDocument> {
  await deps.at?.('taken-up');
  const unmet = send.kind === 'send' && send.agent ? await deps.unmet(send) : null;
  if (unmet !== null) return cancelSend(send, unmet, deps);
  return attemptSend(send, deps, send.kind === 'send' ? patientUntil : 0);
}

async function goOrCancel(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  const unmet = await deps.unmet(send);
  if (unmet !== null) return cancelSend(send, unmet, deps);
  return forwardWhenDue(send, deps, async (held) =>
    withLoadedAttachments(await withCurrentDate(held, deps), deps, (whole) => attemptSend(whole, deps)),
  );
}
