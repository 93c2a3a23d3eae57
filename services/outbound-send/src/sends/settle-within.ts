import type { SendDocument } from '@postroom/mail-store/documents/send';
import { settledWithin } from '@postroom/runtime/within';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Sender } from '../sending/sender.ts';
import type { SendPermit } from '../send-permits/send-permits.ts';

/** The send as it stands when its first attempt is over; nothing where that takes longer, or where it is not known. */
export async function settleWithin(
  {
    sender,
    context: { clock, log },
  }: { sender: Pick<Sender, 'begin'>; context: Pick<ServiceContext, 'clock' | 'log'> },
  held: SendDocument,
  permit: SendPermit,
  limitMs: number,
): Promise<SendDocument | undefined> {
  const settling = sender.begin(held, permit, limitMs).catch((error: unknown) => {
    log.error({ err: error, sendId: held._id }, 'a send is taken up again later');
    return undefined;
  });
  return settledWithin({ ms: Math.max(1, limitMs), clock }, settling);
}
