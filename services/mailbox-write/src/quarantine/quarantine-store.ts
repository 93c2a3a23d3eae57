import type { CollectionsOf, Writes } from '@postroom/mail-store/access';
import type { QuarantinedMessageDocument, QuarantinedPieceDocument } from '@postroom/mail-store/documents/email';
import { notExpired } from '@postroom/mail-store/kept-for';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { insertNew } from '../inserting/insert-all-store.ts';

export type QuarantineStore = ReturnType<typeof createQuarantineStore>;

export function createQuarantineStore(collections: CollectionsOf<'mailbox-write'>) {
  return { ...reading(collections), ...writing(collections) };
}

function reading({ quarantinedMessages, quarantinedPieces }: Writes<'quarantinedMessages' | 'quarantinedPieces'>) {
  return {
    findBySource(
      workspaceId: string,
      mailboxId: string,
      sourceKeys: readonly string[],
    ): Promise<QuarantinedMessageDocument[]> {
      return quarantinedMessages
        .find({ workspaceId, mailboxId, sourceKey: { $in: sourceKeys } }, null, QUERY_LIMIT)
        .lean<QuarantinedMessageDocument[]>();
    },

    list(
      workspaceId: string,
      mailboxId: string | undefined,
      now: Date,
      limit: number,
    ): Promise<QuarantinedMessageDocument[]> {
      const which = { workspaceId, ...(mailboxId !== undefined && { mailboxId }), ...notExpired(now) };
      return newest(quarantinedMessages, which, limit);
    },

    find(workspaceId: string, ids: readonly string[], now: Date): Promise<QuarantinedMessageDocument[]> {
      return quarantinedMessages
        .find({ workspaceId, _id: { $in: ids }, ...notExpired(now) }, null, QUERY_LIMIT)
        .lean<QuarantinedMessageDocument[]>();
    },

    /** The newest that were tried fewer times than this. */
    findTriedLess(
      workspaceId: string,
      attempts: number,
      now: Date,
      limit: number,
    ): Promise<QuarantinedMessageDocument[]> {
      return newest(quarantinedMessages, { workspaceId, attempts: { $lt: attempts }, ...notExpired(now) }, limit);
    },

    bytes(workspaceId: string, setAsideId: string): Promise<Buffer> {
      return joinPieces(quarantinedPieces, { workspaceId, setAsideId });
    },

    countAll(): Promise<number> {
      return quarantinedMessages.estimatedDocumentCount(QUERY_LIMIT);
    },
  };
}

function writing({ quarantinedMessages, quarantinedPieces }: Writes<'quarantinedMessages' | 'quarantinedPieces'>) {
  return {
    /** The pieces come first, and stay as long, also those from before a crash: what is listed is always there whole. */
    async insert(
      workspaceId: string,
      document: QuarantinedMessageDocument,
      pieces: readonly QuarantinedPieceDocument[],
    ): Promise<void> {
      for (const piece of pieces) await insertNew(quarantinedPieces, [piece]);
      const expiresAt = pieces[0]?.expiresAt;
      if (expiresAt)
        await quarantinedPieces.updateMany(
          { workspaceId, setAsideId: document._id },
          { $max: { expiresAt } },
          QUERY_LIMIT,
        );
      await insertNew(quarantinedMessages, [document]);
    },

    async tried(workspaceId: string, id: string, cause: string): Promise<void> {
      await quarantinedMessages.updateOne(
        { workspaceId, _id: id },
        { $inc: { attempts: 1 }, $set: { cause } },
        QUERY_LIMIT,
      );
    },

    /** The entry first: pieces without it are never listed, and the same message quarantined again would reuse them. */
    async remove(workspaceId: string, id: string): Promise<void> {
      await quarantinedMessages.deleteOne({ workspaceId, _id: id }, QUERY_LIMIT);
      await quarantinedPieces.deleteMany({ workspaceId, setAsideId: id }, QUERY_LIMIT);
    },
  };
}

// The driver hands bytes out as a Buffer or wrapped, depending on the way they are read.
type Piece = Omit<QuarantinedPieceDocument, 'bytes'> & { bytes: Buffer | { buffer: Buffer } };

function newest(
  quarantinedMessages: Writes<'quarantinedMessages'>['quarantinedMessages'],
  which: { workspaceId: string; attempts?: { $lt: number } },
  limit: number,
): Promise<QuarantinedMessageDocument[]> {
  return quarantinedMessages
    .find(which, null, QUERY_LIMIT)
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit)
    .lean<QuarantinedMessageDocument[]>();
}

async function joinPieces(
  quarantinedPieces: Writes<'quarantinedPieces'>['quarantinedPieces'],
  message: { workspaceId: string; setAsideId: string },
): Promise<Buffer> {
  const pieces = await quarantinedPieces.find(message, null, QUERY_LIMIT).sort({ position: 1 }).lean<Piece[]>();
  return Buffer.concat(pieces.map(({ bytes }) => (Buffer.isBuffer(bytes) ? bytes : bytes.buffer)));
}
