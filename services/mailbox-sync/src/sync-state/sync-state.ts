import { ApiError } from '@postroom/errors/api-error';
import { isOfLabel, type FolderSyncStore } from '../folders/folder-sync-store.ts';
import type { FolderPart } from '@postroom/mail-store/documents/mailbox';
import type { FolderProgress } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SyncedMailboxStore } from '../mailboxes/synced-mailbox-store.ts';
import type { LeaseStore } from '../leases/lease-store.ts';
import type { SyncRequestStore } from '../leases/keeper.ts';

export interface SyncStateDeps {
  context: Pick<ServiceContext, 'clock'>;
  stores: {
    mailboxes: Pick<SyncedMailboxStore, 'find'>;
    folderSyncs: Pick<FolderSyncStore, 'find'>;
    leases: Pick<LeaseStore, 'register'>;
    syncRequests: Pick<SyncRequestStore, 'isHeld' | 'request'>;
  };
}

/** The sync state of a mailbox for operators, from any process. */
export function stateHandlers({ stores, context }: SyncStateDeps) {
  const unknown = () => new ApiError('MAILBOX_NOT_FOUND');

  return {
    getSyncState: async ({ mailboxId }, { workspaceId }) => {
      const mailbox = await stores.mailboxes.find(workspaceId, mailboxId);
      if (!mailbox) throw unknown();
      const syncs = new Map((await stores.folderSyncs.find(workspaceId, mailboxId)).map((sync) => [sync._id, sync]));
      const isKeptThere = ({ id, path }: FolderPart) => {
        const sync = syncs.get(id);
        return sync ? !isOfLabel(sync) : path !== '' || mailbox.lastSyncedAt === null;
      };
      const folders: FolderProgress[] = mailbox.folders.filter(isKeptThere).map(({ id, name, type }) => {
        const { done = 0, total = 0, lowestDone = 2 } = syncs.get(id) ?? {};
        const isComplete = lowestDone <= 1;
        // The first count no longer matters, because messages have come and gone since.
        return { name, type, done, total: isComplete ? done : total, isComplete };
      });
      return {
        lastSyncedAt: mailbox.lastSyncedAt?.toISOString(),
        failCount: mailbox.sync?.failCount ?? 0,
        lastError: mailbox.sync?.lastError ?? undefined,
        isHeld: await stores.syncRequests.isHeld(workspaceId, mailboxId, context.clock.date()),
        folders,
      };
    },

    syncNow: async ({ mailboxId }, { workspaceId }) => {
      const mailbox = await stores.mailboxes.find(workspaceId, mailboxId);
      if (!mailbox) throw unknown();
      if (mailbox.status !== 'active') throw new ApiError('MAILBOX_INACTIVE');
      if (mailbox.provider !== 'imap') return {};
      await stores.leases.register([{ _id: mailboxId, workspaceId }]);
      await stores.syncRequests.request(workspaceId, mailboxId, context.clock.date());
      return {};
    },
  } satisfies Partial<Handlers<MailboxSyncServiceDefinition>>;
}
