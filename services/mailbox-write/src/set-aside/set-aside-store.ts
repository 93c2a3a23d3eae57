import type { CollectionsOf, Writes } from '@postroom/mail-store/access';
import type { SetAsideDocument, SetAsidePieceDocument } from '@postroom/mail-store/documents/email';
import { notExpired } from '@postroom/mail-store/kept-for';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { insertNew } from '../insert-all-store.ts';

export type SetAsideStore = ReturnType<typeof createSetAsideStore>;

export function createSetAsideStore(collections: CollectionsOf<'mailbox-write'>) {
  return { ...reading(collections), ...writing(collections) };
}

function reading({ setAside, setAsidePieces }: Writes<'setAside' | 'setAsidePieces'>) {
  return {
    findBySource(workspaceId: string, mailboxId: string, sourceKeys: readonly string[]): Promise<SetAsideDocument[]> {
      return setAside
        .find({ workspaceId, mailboxId, sourceKey: { $in: sourceKeys } }, null, QUERY_LIMIT)
        .lean<SetAsideDocument[]>();
    },

    list(workspaceId: string, mailboxId: string | undefined, now: Date, limit: number): Promise<SetAsideDocument[]> {
      const which = { workspaceId, ...(mailboxId !== undefined && { mailboxId }), ...notExpired(now) };
      return setAside
        .find(which, null, QUERY_LIMIT)
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<SetAsideDocument[]>();
    },

    find(workspaceId: string, ids: readonly string[], now: Date): Promise<SetAsideDocument[]> {
      return setAside
        .find({ workspaceId, _id: { $in: ids }, ...notExpired(now) }, null, QUERY_LIMIT)
        .lean<SetAsideDocument[]>();
    },

    /** The newest that were tried fewer times than this. */
    findTriedLess(workspaceId: string, attempts: number, now: Date, limit: number): Promise<SetAsideDocument[]> {
      return setAside
        .find({ workspaceId, attempts: { $lt: attempts }, ...notExpired(now) }, null, QUERY_LIMIT)
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<SetAsideDocument[]>();
    },

    bytes(workspaceId: string, setAsideId: string): Promise<Buffer> {
      return joinPieces(setAsidePieces, { workspaceId, setAsideId });
    },

    countAll(): Promise<number> {
      return setAside.estimatedDocumentCount(QUERY_LIMIT);
    },
  };
}

function writing({ setAside, setAsidePieces }: Writes<'setAside' | 'setAsidePieces'>) {
  return {
    /** The pieces come first, and stay as long, also those from before a crash: what is listed is always there whole. */
    async insert(
      workspaceId: string,
      document: SetAsideDocument,
      pieces: readonly SetAsidePieceDocument[],
    ): Promise<void> {
      for (const piece of pieces) await insertNew(setAsidePieces, [piece]);
      const expiresAt = pieces[0]?.expiresAt;
      if (expiresAt)
        await setAsidePieces.updateMany(
          { workspaceId, setAsideId: document._id },
          { $max: { expiresAt } },
          QUERY_LIMIT,
        );
      await insertNew(setAside, [document]);
    },

    async tried(workspaceId: string, id: string, cause: string): Promise<void> {
      await setAside.updateOne({ workspaceId, _id: id }, { $inc: { attempts: 1 }, $set: { cause } }, QUERY_LIMIT);
    },

    /** The entry first: pieces without it are never listed, and the same message set aside again would reuse them. */
    async remove(workspaceId: string, id: string): Promise<void> {
      await setAside.deleteOne({ workspaceId, _id: id }, QUERY_LIMIT);
      await setAsidePieces.deleteMany({ workspaceId, setAsideId: id }, QUERY_LIMIT);
    },
  };
}

// The driver hands bytes out as a Buffer or wrapped, depending on the way they are read.
type Piece = Omit<SetAsidePieceDocument, 'bytes'> & { bytes: Buffer | { buffer: Buffer } };

async function joinPieces(
  setAsidePieces: Writes<'setAsidePieces'>['setAsidePieces'],
  message: { workspaceId: string; setAsideId: string },
): Promise<Buffer> {
  const pieces = await setAsidePieces.find(message, null, QUERY_LIMIT).sort({ position: 1 }).lean<Piece[]>();
  return Buffer.concat(pieces.map(({ bytes }) => (Buffer.isBuffer(bytes) ? bytes : bytes.buffer)));
}
