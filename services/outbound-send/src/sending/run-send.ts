import type { SendDocument } from '@postroom/mail-store/documents/send';
import { attempt } from './attempt.ts';
import { cancel } from './cancel.ts';
import { inItsSlot } from './in-its-slot.ts';
import { recordSent } from './record.ts';
import { change, fail, type SendDeps } from './send-deps.ts';
import { datedNow } from './leaving-date.ts';
import { withWhole } from './whole.ts';
import { becomeUnknown, lookForFiled } from './unknown.ts';

/** Brings a send that the caller holds as far as it goes now; what is left has a time at which it is taken up again. */
export async function runSend(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  await deps.at?.('taken-up');
  switch (send.state) {
    case 'scheduled':
    case 'connecting':
    case 'data_started':
      // Nobody has it. What a caller waited for goes out in that call or not at all.
      if (send.kind === 'send') return fail(send, 'interrupted before the server had the message', [], deps);
      return goOrCancel(send, deps);
    case 'data_ending':
      return lookForFiled(await becomeUnknown(send, 'interrupted before the server answered', deps), deps);
    case 'unknown':
      return lookForFiled(send, deps);
    case 'accepted':
      return recordSent(send, deps);
    default:
      return change(send, { nextAt: null }, deps);
  }
}

/** The first attempt, by whoever has just inserted the send and holds it, while its caller waits. */
export async function beginSend(send: SendDocument, deps: SendDeps, patientUntil: number): Promise<SendDocument> {
  await deps.at?.('taken-up');
  return attempt(send, deps, send.kind === 'send' ? patientUntil : 0);
}

async function goOrCancel(send: SendDocument, deps: SendDeps): Promise<SendDocument> {
  const unmet = await deps.unmet(send);
  if (unmet !== null) return cancel(send, unmet, deps);
  return inItsSlot(send, deps, async (held) =>
    withWhole(await datedNow(held, deps), deps, (whole) => attempt(whole, deps)),
  );
}
