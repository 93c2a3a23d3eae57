import { ApiError } from '@postroom/errors/api-error';
import type { PlaceDeps } from './place-deps.ts';

/** A holder of a mailbox that was paused while another took over must change nothing any more. */
export async function requireHeld(
  { stores }: Pick<PlaceDeps, 'stores'>,
  workspaceId: string,
  mailboxId: string,
  epoch: number,
): Promise<void> {
  if ((await stores.leases.epoch(workspaceId, mailboxId)) > epoch)
    throw new ApiError('CONFLICT', { message: 'Another process keeps this mailbox in step now.' });
}
