import { ApiError } from '@postroom/errors/api-error';
import { MailboxAccessServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { foldersOf } from '../sync/setting.ts';
import { createProcess } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';

/** Stands for workspace: gives the access to a mailbox, and records its sync for the newest holder alone. */
export function serveMailboxAccess(world: World, network: Network): void {
  const epochs = new Map<string, number>();
  network.serve<MailboxAccessServiceDefinition>(MailboxAccessServiceDefinition, createProcess(world, 'workspace'), {
    getMailboxAccess: async ({ mailboxId }) => ({
      imapAddress: 'imap://imap.example:143',
      smtpAddress: 'smtp://smtp.example:25',
      user: mailboxId,
      password: 'secret',
      accessToken: undefined,
      ca: undefined,
      tokenEpoch: 0,
    }),
    recordSync: async ({ mailboxId, epoch }) => {
      if (epoch < (epochs.get(mailboxId) ?? 0)) throw new ApiError('CONFLICT');
      epochs.set(mailboxId, epoch);
      return { status: 'active', failCount: 0, folders: foldersOf(mailboxId) as never };
    },
  });
}
