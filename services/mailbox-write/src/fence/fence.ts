import { ApiError } from '@postroom/errors/api-error';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';

/**
 * It is checked right before each write, after its basis was read: a holder of a mailbox that was paused while another
 * took over changes nothing any more. A later write of the other makes the compare-and-set fail by itself.
 */
export type Fence = () => Promise<void>;

/** Of what no provider says. */
export const unfenced: Fence = async () => undefined;

export function fenceOf(
  leases: { epoch(workspaceId: string, mailboxId: string): Promise<number> },
  { workspaceId, _id }: Pick<MailboxDocument, '_id' | 'workspaceId'>,
  epoch: number | undefined,
): Fence {
  if (epoch === undefined) return unfenced;
  return async () => {
    if ((await leases.epoch(workspaceId, _id)) > epoch)
      throw new ApiError('CONFLICT', { message: 'Another process synchronizes this mailbox now.' });
  };
}
