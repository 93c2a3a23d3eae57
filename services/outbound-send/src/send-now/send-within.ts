import type { SendDocument } from '@postroom/mail-store/documents/send';
import { resultWithin } from '@postroom/runtime/within';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Sender } from '../sending/sender.ts';
import type { SendPermit } from '../send-permits/send-permits.ts';

/** The send as it stands when its first attempt is over; nothing where that takes longer, or where it is not known. */
export async function sendWithin(
  {
    sender,
    context: { clock, log },
  }: { sender: Pick<Sender, 'begin'>; context: Pick<ServiceContext, 'clock' | 'log'> },
  held: SendDocument,
  permit: SendPermit,
  limitMs: number,
): Promise<SendDocument | undefined> {
  const running = sender.begin(held, permit, limitMs).catch((error: unknown) => {
    log.error({ err: error, sendId: held._id }, 'a send is taken up again later');
    return undefined;
  });
  return resultWithin({ ms: Math.max(1, limitMs), clock }, running);
}
