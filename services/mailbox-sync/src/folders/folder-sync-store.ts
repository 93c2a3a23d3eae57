import type { Writes } from '@postroom/mail-store/access';
import type { FolderSyncDocument } from '@postroom/mail-store/documents/sync';
import { isAnyDuplicate } from '@postroom/mail-store/duplicate';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { LeaseLost } from '../leases/lease-lost.ts';
import type { Lease } from '../leases/lease.ts';

export type FolderSyncStore = ReturnType<typeof createFolderSyncStore>;
/** The sync state of a folder without its owner. */
export type FolderSync = Omit<FolderSyncDocument, '_id' | 'workspaceId' | 'mailboxId' | 'epoch'>;

/** The value for a folder that only shows messages of other folders. No provider counts UIDs from 0. */
export const LABEL_SYNC: FolderSync = {
  uidValidity: 0,
  uidNext: 1,
  highestModseq: '0',
  lowestDone: 1,
  done: 0,
  total: 0,
  comparedAt: null,
  surprises: 0,
};

export function createFolderSyncStore({ folderSyncs }: Writes<'folderSyncs'>) {
  return {
    find(workspaceId: string, mailboxId: string): Promise<FolderSyncDocument[]> {
      return folderSyncs.find({ workspaceId, mailboxId }, null, QUERY_LIMIT).lean<FolderSyncDocument[]>();
    },

    /** From here on an earlier holder of the lease changes nothing. */
    async takeOver(workspaceId: string, { mailboxId, epoch }: Lease): Promise<FolderSyncDocument[]> {
      const older = { workspaceId, mailboxId, epoch: { $lt: epoch } };
      await folderSyncs.updateMany(older, { $set: { epoch } }, QUERY_LIMIT);
      return folderSyncs.find({ workspaceId, mailboxId }, null, QUERY_LIMIT).lean<FolderSyncDocument[]>();
    },

    async save(workspaceId: string, { mailboxId, epoch }: Lease, folderId: string, sync: FolderSync): Promise<void> {
      const mine = { _id: folderId, workspaceId, epoch: { $lte: epoch } };
      const written = { $set: { ...sync, mailboxId, epoch } };
      try {
        await folderSyncs.updateOne(mine, written, { ...QUERY_LIMIT, upsert: true });
      } catch (error) {
        if (isAnyDuplicate(error)) throw new LeaseLost();
        throw error;
      }
    },

    async remove(workspaceId: string, { epoch }: Lease, folderId: string): Promise<void> {
      await folderSyncs.deleteOne({ _id: folderId, workspaceId, epoch: { $lte: epoch } }, QUERY_LIMIT);
    },
  };
}

export const isOfLabel = ({ uidValidity }: Pick<FolderSync, 'uidValidity'>): boolean =>
  uidValidity === LABEL_SYNC.uidValidity;

export function toFolderSync(document: FolderSyncDocument): FolderSync {
  const { uidValidity, uidNext, highestModseq, lowestDone, done, total, comparedAt, surprises } = document;
  return { uidValidity, uidNext, highestModseq, lowestDone, done, total, comparedAt, surprises };
}
